import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Comment, Converter, ReflectionKind } from 'typedoc';

// The API reference: Markdown pages in generated/api/, and their order in generated/api.json.
const pathOf = (path) => fileURLToPath(new URL(path, import.meta.url));
const entries = new Map(
  JSON.parse(readFileSync(pathOf('generated/entry-points.json'), 'utf8')).map((entry) => [
    pathOf(`../${entry.file}`),
    entry,
  ]),
);

/** Names each module after the import of its entry point, and describes it. */
function nameModules({ converter }) {
  converter.on(Converter.EVENT_RESOLVE_BEGIN, (context) => {
    for (const module of context.project.getChildrenByKind(ReflectionKind.Module)) {
      const [source] = context.getSymbolFromReflection(module).declarations;
      const { name, description } = entries.get(source.fileName);
      module.name = name;
      module.comment = new Comment([{ kind: 'text', text: description }]);
    }
  });
}

/** Shows types by their declared names, and types that zod infers by their fields. TypeDoc does the opposite. */
function keepTypeNames({ converter }) {
  const convertType = converter.convertType.bind(converter);
  const isNode = (type) => type?.kind !== undefined;
  const isInferred = (node) =>
    /^(?:\{\s*readonly \[K in keyof )?z\.(?:infer|input|output)<typeof /.test(node.getText());
  converter.convertType = (context, type, declared) => {
    const { checker } = context;
    if (isNode(type))
      return isInferred(type) ? fieldsOf(checker.getTypeFromTypeNode(type)) : convertType(context, type);
    if (!type || !isNode(declared) || isInferred(declared)) return convertType(context, type, declared);
    const [actual, named] = [type, checker.getTypeFromTypeNode(declared)].map((one) => checker.getNonNullableType(one));
    return convertType(context, actual === named ? declared : type, declared);

    // A type with an alias is converted to a link to the alias.
    function fieldsOf(inferred) {
      const { aliasSymbol } = inferred;
      inferred.aliasSymbol = undefined;
      const fields = convertType(context, inferred);
      inferred.aliasSymbol = aliasSymbol;
      return fields;
    }
  };
}

/** Omits from fields the schema that they come from, and bases that are not exported. */
function omitOrigins({ converter }) {
  converter.on(Converter.EVENT_RESOLVE_END, ({ project }) => {
    for (const reflection of Object.values(project.reflections)) {
      if (/^z\.|Schema$/.test(reflection.defaultValue ?? '')) delete reflection.defaultValue;
      if (reflection.inheritedFrom && !reflection.inheritedFrom.reflection) delete reflection.inheritedFrom;
    }
  });
}

/** @type {Partial<import('typedoc').TypeDocOptions & import('typedoc-plugin-markdown').PluginOptions>} */
export default {
  plugin: ['typedoc-plugin-markdown', nameModules, keepTypeNames, omitOrigins],
  tsconfig: pathOf('../lib/tsconfig.json'),
  entryPoints: [...entries.keys()],
  out: 'generated/api',
  navigationJson: 'generated/api.json',
  navigation: { includeGroups: true, includeFolders: false },
  pageTitleTemplates: { index: 'API reference' },
  readme: 'none',
  entryFileName: 'index',
  hidePageHeader: true,
  hideBreadcrumbs: true,
  expandParameters: true,
  groupOrder: ['Functions', 'Classes', 'Variables', 'Interfaces', 'Type Aliases', 'References'],
  locales: { en: { kind_module: 'Entry point', kind_plural_module: 'Entry points' } },
  indexFormat: 'table',
  parametersFormat: 'table',
  disableSources: true,
  excludePrivate: true,
  excludeInternal: true,
  skipErrorChecking: true,
  sanitizeComments: true,
  validation: { notExported: false, invalidLink: true },
};

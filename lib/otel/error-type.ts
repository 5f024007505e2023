import { propertyOf } from '../errors/describe-thrown.ts';
import { OTHER_ERROR } from './semconv.ts';

/** A name of a class or a code. Messages and identifiers with long numbers do not match. */
const LOW_CARDINALITY = /^(?!.*\d{4})[A-Za-z_$][\w$.-]{0,63}$/;
const MOST_TYPES = 100;

/** Creates a function that returns `error.type` of an error: its code, or its class. Further types above the limit are `_OTHER`. */
export function createErrorTypes(): (error: unknown) => string {
  const known = new Set<string>();
  return (error) => {
    const type = [propertyOf(error, 'code'), propertyOf(error, 'name')].find(
      (name): name is string => typeof name === 'string' && LOW_CARDINALITY.test(name),
    );
    if (type === undefined || (known.size >= MOST_TYPES && !known.has(type))) return OTHER_ERROR;
    known.add(type);
    return type;
  };
}

import type { Redactor } from '../../lib/redaction/index.ts';
import { measure } from './measure.ts';
import type { BenchResult } from './result.ts';

const LENGTH = 400_000;
const ENGLISH =
  'It was late when they came back to the house, and nobody had thought of the light. "We said at nine," she began. ';
/** The same in other scripts, with the words for a password and a telephone, which rules look for. */
const SCRIPTS: Readonly<Record<string, string>> = {
  Chinese:
    '他们回到家里的时候已经很晚了，谁也没有想到要留一盏灯。“我们说好九点的，”她开口说道。密码是必填项，电话和手机都在桌子上。',
  Japanese:
    '二人が家に戻ったときはもう遅く、誰も明かりのことを思いつかなかった。「九時と言ったのに」と彼女は言った。パスワードを忘れた。',
  Russian:
    'Было поздно, когда они вернулись домой, и никто не подумал о свете. «Мы говорили в девять», — начала она. Пароль забыт. ',
  Arabic: 'كان الوقت متأخرا عندما عاد الاثنان إلى المنزل، ولم يفكر أحد في ترك الضوء مضاء. قالت: قلنا في التاسعة. ',
  emoji: '😀😃😄😁😆 🎉🚀🔥💡 👨‍👩‍👧‍👦 ✅❌ 🇩🇪🇯🇵 ',
};

/** Text of other scripts against English, and against RegExp behind keywords over the same text: the worst of them each. */
export function scriptsBench(redactor: Redactor, native: (text: string) => number): BenchResult[] {
  const english = timesOf(ENGLISH);
  const others = Object.entries(SCRIPTS).map(([script, sentence]) => ({ script, ...timesOf(sentence) }));
  const worst = (of: (times: (typeof others)[number]) => number) =>
    others.map((times) => ({ script: times.script, value: of(times) })).reduce((a, b) => (a.value < b.value ? a : b));
  const speed = worst(({ whole }) => english.whole / whole);
  const whole = worst((times) => times.native / times.whole);
  const chunks = worst((times) => times.native / times.chunks);
  return [
    {
      name: `redaction of text that is not Latin, against English (worst: ${speed.script})`,
      unit: 'times the speed',
      value: speed.value,
      least: 0.7,
    },
    {
      name: `redaction of whole text that is not Latin, against RegExp behind keywords (worst: ${whole.script})`,
      unit: 'times faster',
      value: whole.value,
      least: 2.5,
    },
    {
      name: `redaction of its chunks of 4 characters, against RegExp behind keywords (worst: ${chunks.script})`,
      unit: 'times faster',
      value: chunks.value,
      least: 1.2,
    },
  ];

  function timesOf(sentence: string): { whole: number; chunks: number; native: number } {
    const text = sentence.repeat(Math.ceil(LENGTH / sentence.length)).slice(0, LENGTH);
    const times = measure(
      {
        whole: () => void redactor.redact(text),
        chunks: () => {
          const stream = redactor.stream();
          for (let at = 0; at < text.length; at += 4) stream.write(text.slice(at, at + 4));
          stream.end();
        },
        native: () => void native(text),
      },
      LENGTH,
      5,
    );
    return { whole: times['whole'] ?? 1, chunks: times['chunks'] ?? 1, native: times['native'] ?? 0 };
  }
}

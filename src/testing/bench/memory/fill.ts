/** How many people, and how much is known of each. */
export interface Size {
  readonly persons: number;
  readonly facts: number;
}

/** Of the person with this number. */
export const personNamed = (number: number): string => `p_bench_${number}`;

const WORDS =
  'tea coffee climbing sailing violin piano Berlin Lisbon Nairobi Osaka gardens chess robots bridges whales glaciers novels poems jazz operas marathons yoga bread cheese maps compilers kernels databases kayaks orchids'.split(
    ' ',
  );
const CHINESE = '喜欢喝绿茶 在上海工作 每天早上跑步 正在学习西班牙语 对花生过敏 周末常去爬山'.split(' ');

/** An SQL expression that gives one of these words by a number. */
function oneOf(words: readonly string[], number: string): string {
  const cases = words.map((word, index) => `when ${index} then '${word}'`).join(' ');
  return `case (${number}) % ${words.length} ${cases} end`;
}

/** How a database says what SQLite and PostgreSQL say differently. */
export interface Speech {
  /** Rows `n` from 1 to `most`. */
  readonly series: (most: number) => string;
  /** Makes a JSON array of its arguments. */
  readonly array: string;
  /** Makes a JSON array of the rows of a group. */
  readonly group: string;
}

/**
 * Statements that fill a database. One fact of everybody after the other, as people tell them: the facts of one person lie
 * far apart. Indexes are made anew at the end, which is faster, and so is what is told of each, as the store writes it.
 */
export function filling({ persons, facts }: Size, { series, array, group }: Speech): readonly string[] {
  const at = 1_780_000_000_000;
  const content = [
    `case when (n + f) % 5 = 0 then ${oneOf(CHINESE, 'n + f')} || n % 7 || f`,
    `else 'Likes ' || ${oneOf(WORDS, 'n * 7 + f * 13')} || ' and ' || ${oneOf(WORDS, 'n * 11 + f * 3 + 5')}`,
    `|| ', and has done so for ' || (n + f) % 40 || ' years in ' || ${oneOf(WORDS, 'n + f * 17')} || ' ' || f end`,
  ].join(' ');
  const rows = Array.from(
    { length: facts },
    (_, f) => `insert into memory_facts
      (id, subject, number, hash, content, category, confidence, thread, entry, said_at, said_by, speaker,
       created_at, last_seen_at, valid_until, is_private)
      select 'm' || n || '-' || f, subject, f + 1, 'hash of ' || n || ' ' || f, content, 'preference', 70 + (n + f) % 30,
        't_bench_' || n, 'telegram/' || n || '/' || f, ${at} + f, 'telegram//' || n, 'Person ' || n,
        ${at} + f, ${at} + f, null, f % 2
      from (select n, ${f} as f, 'person:p_bench_' || n as subject, ${content.replaceAll(/\bf\b/g, String(f))} as content
        from ${series(persons)}) as told`,
  );
  return [
    'drop index memory_facts_content',
    'drop index memory_facts_said_by',
    `insert into memory_summaries (subject, kind, content, updated_at)
      select 'person:p_bench_' || n, kind, 'Works on ' || ${oneOf(WORDS, 'n')} || ' and thinks about the next trip.', ${at}
      from ${series(persons)} cross join (select 'work' as kind union all select 'recent' union all select 'top_of_mind') as kinds`,
    ...rows,
    'create unique index memory_facts_content on memory_facts (subject, hash)',
    'create index memory_facts_said_by on memory_facts (said_by)',
    `insert into memory_subjects (subject, changed_at, next_number, told)
      select subject, ${at}, ${facts + 1}, '{"facts":' || ${group}(${array}(
        number, content, category, confidence, said_by, speaker, last_seen_at, valid_until, is_private))
        || ',"summaries":{"work":"Works on bridges and thinks about the next trip.","recent":"Was in Lisbon."}}'
      from memory_facts group by subject`,
  ];
}

/** What is asked: half of it has to do with some facts. */
export const questions: readonly string[] = [
  'Which tea should I buy for the weekend in Lisbon?',
  'hello there',
  '我喜欢喝什么茶？',
  'Write a short poem about whales and glaciers, please, and mention what I do on Sundays',
  '帮我订一家餐厅，注意我对什么过敏',
  'How do I repair a bicycle chain that keeps slipping?',
];

const lines = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n');

/**
 * Markdown as models write it. Words in capitals with a number are what must arrive, in this order; everything around
 * them may look different from platform to platform.
 */
export const corpus: readonly string[] = [
  '# HEAD1\n\nSome **BOLD2** and *ITALIC3*, ~~GONE4~~, `CODE5` and a [LINK6](https://example.com/a_b?c=d&e=f).',
  '- ONE1\n- TWO2\n  - DEEP3\n    1. DEEPER4\n- [ ] OPEN5\n- [x] DONE6\n\n3. THREE7\n4. FOUR8',
  '> QUOTE1\n> > INNER2\n\n---\n\nAFTER3',
  '```python\nif a < b and c > d:\n    print("FENCE1 & `tick` *star* _under_")\n```\n\nOUT2',
  `| Name | Price |\n|---|---:|\n| PEAR1 | 5 |\n| FIG2 | 中文 |\n${lines(30, (i) => `| ROW${i + 3} | ${'x'.repeat(i)} |`)}`,
  '**重点：**内容 WIDE1 谢谢 👨‍👩‍👧‍👦 👍🏽 EMOJI2 <b>RAW3</b> &amp; @everyone @channel @all <!channel> <at user_id="all"></at> END4',
  'LONE1 * star _ under ` tick [x] (y) # hash | pipe ~ tilde \\ back < > $ END2',
  lines(400, (i) => `WORD${i} ${'text '.repeat(12)}`),
  `\`\`\`\n${lines(500, (i) => `LINE${i} = "${'y'.repeat(40)}"`)}\n\`\`\`\n\nTAIL500`,
  `${'谢'.repeat(3_000)} HAN1 ${'👨‍👩‍👧‍👦'.repeat(400)} FAMILY2 ${'z'.repeat(6_000)} END3`,
];

/** What of a text of {@link corpus} must arrive, in order. */
export const wordsOf = (markdown: string): readonly string[] => markdown.match(/\b[A-Z]+\d+\b/g) ?? [];

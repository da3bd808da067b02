const DIGITS: Readonly<Record<string, string>> = {
  一: '1',
  二: '2',
  两: '2',
  三: '3',
  四: '4',
  五: '5',
  六: '6',
  七: '7',
  八: '8',
  九: '9',
  十: '10',
};

/** `2`, `2.`, `(2)`, `#2`, `option 2`, `No. 2`, `第二个`, `选2`: a number, and nothing that could mean more than it. */
const NUMBER =
  /^[([【#]?\s*(?:option|answer|number|no\.?|nr\.?|选项?|我选|第)?\s*[#:]?\s*(\d{1,2}|[一二两三四五六七八九十])\s*(?:个|项|号|种)?\s*[)\]】.,、。!]*$/iu;

/** Which of the options, counted from 0, a text names by its number or its words; null: none of them. */
export function optionIn(text: string, options: readonly string[]): number | null {
  const said = plain(text);
  const byWords = options.findIndex((option) => plain(option) === said);
  if (byWords !== -1) return byWords;
  const written = NUMBER.exec(said)?.[1];
  if (written === undefined) return null;
  const number = Number(DIGITS[written] ?? written);
  return number >= 1 && number <= options.length ? number - 1 : null;
}

/** Wide digits, circled and keycap ones are digits; case, spaces and final marks do not matter. */
function plain(text: string): string {
  return text
    .replace(/[\u{fe0f}\u{20e3}]/gu, '')
    .normalize('NFKC')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()
    .replace(/(?<=\S)[.。!！]+$/u, '');
}

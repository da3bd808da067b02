/** Words behind which a secret stands, with what stands between: "my password is", "密码是", "pin:". */
const NAMED =
  /(?:pass(?:word|code|phrase|wd)|pwd|\bpin\b|\bcvv\b|\bcvc\b|api[ _-]?key|secret(?:[ _-]?key)?|private[ _-]?key|access[ _-]?(?:key|token)|auth[ _-]?token|\btoken\b|seed phrase|recovery (?:code|phrase)|one[ -]time code|verification code|密码|密碼|口令|验证码|驗證碼|密钥|密鑰|令牌|助记词|私钥)/iu;
/** Something that may be one: it has a digit, or is told as a value. */
const VALUE = /\bis\s+["'“‘`]?\S{3,}|(?:[:=：]|是|为|為|叫)\s*["'“”‘’「`]?\S{2,}|\d{3,}/iu;

const SHAPES: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY/,
  /\b(?:sk|pk|rk)[-_](?:live|test|proj|ant)?[-_]?[A-Za-z0-9_-]{16,}/,
  /\b(?:gh[pousr]_|github_pat_|glpat-|xox[abeprs]-|hf_|npm_|dop_v1_)[A-Za-z0-9_-]{10,}/,
  /\bAKIA[0-9A-Z]{16}\b/,
  /\bAIza[0-9A-Za-z_-]{30,}/,
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\./,
  /\b\d{6,12}:[A-Za-z0-9_-]{30,}/, // a Telegram bot's token
  /\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@]+:[^\s/@]+@/i, // a URL with a password in it
  /\bBearer\s+[A-Za-z0-9._-]{16,}/i,
];

const CARD = /(?<![\d.])\d(?:[ -]?\d){12,18}(?![\d.])/g;
const CHINESE_ID = /(?<!\d)\d{17}[\dXx](?!\d)/g;
const AMERICAN_ID = /(?<!\d)\d{3}-\d{2}-\d{4}(?!\d)/;
/** Random-looking: long, and of letters in both cases and digits. */
const RANDOM = /(?=[A-Za-z0-9+/_=-]*[a-z])(?=[A-Za-z0-9+/_=-]*[A-Z])(?=[A-Za-z0-9+/_=-]*\d)[A-Za-z0-9+/_=-]{24,}/;

/** Longer than anything that is kept; it bounds what a hostile text can cost. */
const CHARS_MOST = 2_000;

/** Does a text hold something that must not be kept: a password, a key, the number of a card or an identity? */
export function holdsSecret(text: string): boolean {
  if (text.length > CHARS_MOST) return true;
  const flat = text.normalize('NFKC');
  if (SHAPES.some((shape) => shape.test(flat)) || AMERICAN_ID.test(flat) || RANDOM.test(flat)) return true;
  const named = NAMED.exec(flat);
  if (named !== null && VALUE.test(flat.slice(named.index))) return true;
  if ([...flat.matchAll(CHINESE_ID)].some(([id]) => isChineseId(id))) return true;
  return [...flat.matchAll(CARD)].some(([number]) => isCardNumber(number.replace(/\D/g, '')));
}

/** By its check digit (Luhn): https://www.iso.org/standard/70484.html */
function isCardNumber(digits: string): boolean {
  let sum = 0;
  for (const [index, digit] of [...digits].reverse().entries()) {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return sum > 0 && sum % 10 === 0;
}

/** By its check digit: GB 11643-1999. */
function isChineseId(id: string): boolean {
  const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
  const sum = weights.reduce((total, weight, index) => total + weight * Number(id[index]), 0);
  return '10X98765432'[sum % 11] === id[17]?.toUpperCase();
}

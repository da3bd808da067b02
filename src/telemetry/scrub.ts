/** Shorter values would blacken half of every line. */
const minSecretLength = 6;
/** Far more than any installation has; a guard against a caller that registers without end. */
const maxSecrets = 1000;

const secrets = new Set<string>();

/** From now on this value reads `***` in every log line, and in whatever goes through {@link scrub}. */
export function registerSecret(value: string): void {
  if (value.length < minSecretLength || secrets.size >= maxSecrets) return;
  secrets.add(value);
  // As it looks inside a JSON line and inside a URL.
  secrets.add(JSON.stringify(value).slice(1, -1));
  secrets.add(encodeURIComponent(value));
}

/** What gives a secret away by its surroundings, whether it was registered or not. */
const patterns: readonly (readonly [RegExp, string])[] = [
  // https://core.telegram.org/bots/api#making-requests: the token is part of every URL.
  [/(\/(?:file\/)?bot)\d{3,}:[\w-]{10,}/g, '$1***'],
  [/\b\d{6,}:[\w-]{30,}\b/g, '***'],
  [/\b(Bearer)\s+[\w.~+/-]{6,}=*/gi, '$1 ***'],
  // Base64 of a name and a password mixes what a word does not; "Basic Information" is a page at Slack.
  [/\b([Bb]asic|BASIC)\s+(?=[\w+/-]*(?:[\d+/=]|[a-z][A-Z]))[\w+/-]{6,}=*/g, '$1 ***'],
  [/\b(sk|xox[abeprs]|xapp)-[\w-]{8,}/g, '$1-***'],
  [/([a-z][a-z0-9+.-]*:\/\/[^\s:/@"']*:)[^\s@/"']+@/gi, '$1***@'],
  [/([?&](?:access_token|api_key|apikey|key|password|secret|token)=)[^\s&"'\\]+/gi, '$1***'],
];

/** The text without any secret that is known or can be recognised. */
export function scrub(text: string): string {
  let clean = text;
  for (const secret of secrets) if (clean.includes(secret)) clean = clean.replaceAll(secret, '***');
  for (const [pattern, replacement] of patterns) clean = clean.replace(pattern, replacement);
  return clean;
}

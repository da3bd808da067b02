/** `severe`: not installed unless an admin insists. `warning`: to be looked at. `note`: what it will want to do. */
export type Severity = 'severe' | 'warning' | 'note';

export interface ScanRule {
  readonly severity: Severity;
  /** `script`: what can be run, in files and in the fenced code of Markdown. `words`: what a model reads. */
  readonly where: 'script' | 'words' | 'any';
  readonly sign: RegExp;
  readonly what: string;
}

const rule = (severity: Severity, where: ScanRule['where'], what: string, sign: RegExp): ScanRule => ({
  severity,
  where,
  sign,
  what,
});

/**
 * Signs of what a skill must not do, or what an admin should know of. A scan by signs finds the careless and the
 * blatant; the wall is the sandbox.
 */
export const SCAN_RULES: readonly ScanRule[] = [
  rule('severe', 'any', 'a private key', /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/),
  rule(
    'severe',
    'any',
    'a token or key of a service',
    /\b(?:AKIA[0-9A-Z]{16}|gh[pousr]_[A-Za-z0-9]{36}|xox[abprs]-[A-Za-z0-9-]{20,}|sk-[A-Za-z0-9_-]{32,})\b/,
  ),
  rule(
    'severe',
    'script',
    'runs what it downloads',
    /\b(?:curl|wget|fetch)\b[^\n|]{0,300}\|\s*(?:sudo\s+)?(?:ba|z|da|k)?sh\b|\b(?:ba|z)?sh\s+(?:-c\s+)?["']?(?:<\(|\$\()\s*(?:curl|wget)\b|\|\s*(?:python3?|node|perl|ruby)\b\s*(?:-\s*)?$|exec\s*\(\s*(?:requests|urllib)\b/m,
  ),
  rule(
    'severe',
    'script',
    'runs what it has decoded',
    /base64\s+(?:-d|-D|--decode)[^\n]{0,200}\|\s*(?:ba|z|da)?sh\b|(?:exec|eval)\s*\(\s*(?:base64|codecs|zlib|bytes\.fromhex|atob|Buffer\.from)\b/,
  ),
  rule(
    'severe',
    'script',
    'a shell for somebody elsewhere',
    /\/dev\/(?:tcp|udp)\/|\b(?:nc|ncat|netcat)\b[^\n]{0,80}\s-[a-z]*e\b|socket\.socket[\s\S]{0,400}(?:dup2|subprocess|pty\.spawn)|pty\.spawn\s*\(/,
  ),
  rule(
    'severe',
    'script',
    'removes far more than its own files',
    /\brm\s+(?:-[a-zA-Z]+\s+|--[a-z-]+\s+)*-?[a-zA-Z-]*\s*(?:\/|~|\$HOME|\/\*|\/(?:etc|usr|var|home|mnt)\b)\s*(?:$|[;&|\s])|shutil\.rmtree\s*\(\s*["'](?:\/|~)["']|\bmkfs\b|\bdd\b[^\n]{0,80}\bof=\/dev\//m,
  ),
  rule('severe', 'script', 'a fork bomb', /:\s*\(\s*\)\s*\{\s*:\s*\|\s*:\s*&\s*\}\s*;\s*:/),
  rule(
    'severe',
    'any',
    'the address where clouds hand out keys',
    /\b169\.254\.169\.254\b|metadata\.google\.internal|\bfd00:ec2::254\b/,
  ),
  rule('severe', 'any', "the container engine's socket", /\bdocker\.sock\b|\bcontainerd\.sock\b/),
  rule(
    'severe',
    'any',
    'keys of the person who runs it',
    /~\/\.(?:ssh|aws|gnupg|kube|netrc|docker)\b|\/etc\/shadow\b|\bid_(?:rsa|ed25519)\b/,
  ),
  rule(
    'severe',
    'words',
    'tells the model to disregard what it was told',
    /\b(?:ignore|disregard|forget|override)\b[^.\n]{0,40}\b(?:previous|prior|above|earlier|all|system|developer|your)\b[^.\n]{0,30}\b(?:instructions?|prompts?|rules?|guidelines)\b|(?:忽略|无视|忘记|不要理会)[^。\n]{0,12}(?:之前|以上|前面|所有|系统)[^。\n]{0,10}(?:指令|提示|规则|要求)/i,
  ),
  rule(
    'severe',
    'words',
    'tells the model to hide something from people',
    /\b(?:do not|don't|never)\b[^.\n]{0,20}\b(?:tell|inform|mention|reveal|show)\b[^.\n]{0,30}\b(?:the )?(?:user|person|people|admin|owner)\b|\bwithout\b[^.\n]{0,20}\b(?:the )?(?:user|person|admin|owner)(?:'s)?\b[^.\n]{0,20}\b(?:knowing|noticing|knowledge|consent)\b|(?:不要|别)(?:告诉|让)(?:用户|管理员)/i,
  ),
  rule(
    'severe',
    'words',
    "asks for the model's own instructions",
    /\b(?:print|reveal|output|repeat|show)\b[^.\n]{0,30}\b(?:system prompt|hidden instructions)\b/i,
  ),
  rule(
    'severe',
    'any',
    'imitates the marks of this system',
    /<\/?(?:soul|context|active_skill|tool_result|summary)\b/i,
  ),
  rule(
    'warning',
    'script',
    'reads the whole environment',
    /\bos\.environ\b(?!\s*(?:\[|\.get\s*\(\s*)["'])|\bprintenv\b|\benv\s*(?:\||>|$)|process\.env\b(?![.[])|\bdeclare -x\b/m,
  ),
  rule(
    'warning',
    'script',
    'makes code while it runs',
    /\b(?:eval|exec)\s*\(|\bnew Function\s*\(|\beval\s+["'$]|__import__\s*\(|\bmarshal\.loads\b|\bpickle\.loads?\b/,
  ),
  rule(
    'warning',
    'script',
    'runs commands through a shell',
    /\bshell\s*=\s*(?!False)\w|\bos\.(?:system|popen)\s*\(|\bchild_process\b|\bexecSync\s*\(/,
  ),
  rule(
    'warning',
    'script',
    'stays behind when it is done',
    /\bcrontab\b|\bnohup\b|\bsystemctl\b|\bsetsid\b|\.bashrc\b|\.profile\b/,
  ),
  rule(
    'warning',
    'script',
    'asks for more rights',
    /\bsudo\b|\bchmod\s+(?:[0-7]*[4267][0-7]{3}|[ug]?\+s|777)\b|\bsetuid\b/,
  ),
  rule(
    'note',
    'script',
    'uses the network',
    /\b(?:curl|wget|requests\.(?:get|post|put|patch|delete|request)|urllib\.request|http\.client|httpx|aiohttp|socket\.)|\bfetch\s*\(|\baxios\b|\bscp\b|\brsync\b|\bssh\b/,
  ),
  rule(
    'note',
    'script',
    'installs software',
    /\b(?:pip3?|npm|pnpm|yarn|apt(?:-get)?|apk|brew|cargo|gem)\s+(?:install|add|i)\b|\bnpx\b|\buvx\b/,
  ),
];

/** What nobody sees when they look a text over: it hides words from people, or makes them read another order. */
export const HIDDEN = /[\u200b\u2060-\u2064\u202a-\u202e\u2066-\u2069\u00ad\u180e\ufff9-\ufffb\u{e0000}-\u{e007f}]/u;

const OFF_RECORD =
  /\b(?:do\s*n[o']?t|don’t|never|please no)\s+(?:you\s+)?(?:remember|memori[sz]e|save|store|keep)\b|\boff the record\b|(?:^|[.!?,;。！？，；\n]\s*|\b(?:please|pls|can you|could you)\s+)forget (?:that|this|what i)\b|(?:不要|别|別|勿|不用|不必)(?:再)?(?:记住|記住|记|記|保存|存储)|忘(?:记|了|掉)(?:这|那|它|我)/iu;

/** Did somebody say with a message that it is not to be remembered? */
export const isOffRecord = (text: string): boolean => OFF_RECORD.test(text.normalize('NFKC'));

const NOTHING =
  /^(?:(?:ok(?:ay)?|k|yes|no|yep|nope|sure|thanks?(?: you)?|thx|hi|hello|hey|bye|good (?:morning|night)|lol|好(?:的)?|嗯+|谢谢(?:你)?|是(?:的)?|对|不|你好|再见|收到|明白|了解) ?)+$/iu;

/** Is there nothing in a message that could be worth keeping? */
export const saysNothing = (text: string): boolean =>
  NOTHING.test(text.replace(/[\p{P}\p{S}\s]+/gu, ' ').trim()) || !/[\p{L}\p{N}]/u.test(text);

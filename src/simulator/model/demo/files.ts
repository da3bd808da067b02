import { call, type DemoReply, type Situation, say } from './situation.ts';
import { textIn } from './texts.ts';

const READS = /\btext\/|\bapplication\/(?:json|xml|yaml)\b/;
const MAX_LINES = 5;
const MAX_CHARS = 400;

/** Says what came along; a text is read first, where there is a tool for it. */
export function aboutFiles(situation: Situation): DemoReply {
  const { conversation, tools } = situation;
  const { files } = conversation.current;
  const text = files.find(({ facts, readable }) => readable && READS.test(facts));
  const canRead = tools.some(({ name }) => name === 'read_file');
  if (text !== undefined && canRead) return call(situation, 'read_file', ['file', text.name]);
  return { kind: 'text', text: listOf(situation) };
}

/** What a file begins with, behind the line in which the tool says which lines these are. */
export function afterReading(situation: Situation, result: string): DemoReply {
  const lines = result.split('\n').slice(1, 1 + MAX_LINES);
  const beginning = lines.join('\n').slice(0, MAX_CHARS).toWellFormed().replaceAll('```', "'''");
  const name = situation.conversation.current.files.find((file) => result.startsWith(file.name))?.name ?? '';
  const read = textIn(situation.conversation.language, 'fileRead', { name, beginning });
  return { kind: 'text', text: `${listOf(situation)} ${read}` };
}

/** A file to keep, in the language of the conversation. */
export function demoFile(situation: Situation): DemoReply {
  const { conversation, tools } = situation;
  if (!tools.some(({ name }) => name === 'send_file')) return say(situation, 'noTool', { tool: 'send_file' });
  const content =
    conversation.language === 'zh'
      ? '# 演示文件\n\n这个文件由 Antler 的演示模型生成。\n'
      : '# A demo file\n\nAntler’s demo model has made this file.\n';
  return { kind: 'tool', name: 'send_file', arguments: { name: 'demo.md', content } };
}

function listOf({ conversation }: Situation): string {
  const { language, current, images } = conversation;
  const files = current.files.map(({ name, facts }) => `**${name}** (${facts})`).join(', ');
  const unreadable = current.files.filter(({ readable }) => !readable);
  return [
    textIn(language, 'filesGot', { files }),
    ...unreadable.map(({ name }) => textIn(language, 'fileUnreadable', { name })),
    ...images.map(({ mime, bytes }) => textIn(language, 'imageSeen', { mime, bytes: String(bytes) })),
  ].join('');
}

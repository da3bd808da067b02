import OpenAI from 'openai';
import { Telegraf } from 'telegraf';

/**
 * The least that answers at all, to measure against: telegraf's own polling and one call of the model a message, with
 * no queue, no history, no streaming and nothing kept.
 */
const {
  TELEGRAM_BOT_TOKEN = '',
  TELEGRAM_API_ROOT = '',
  OPENAI_BASE_URL,
  OPENAI_API_KEY,
  OPENAI_MODEL = '',
} = process.env;

const model = new OpenAI({ baseURL: OPENAI_BASE_URL, apiKey: OPENAI_API_KEY });
const bot = new Telegraf(TELEGRAM_BOT_TOKEN, { telegram: { apiRoot: TELEGRAM_API_ROOT } });

bot.on('text', async (context) => {
  const completion = await model.chat.completions.create({
    model: OPENAI_MODEL,
    messages: [
      { role: 'system', content: 'You are a helpful assistant in a chat.' },
      { role: 'user', content: context.message.text },
    ],
  });
  await context.reply(completion.choices[0]?.message.content ?? '');
});
// A bare bot has no second try; without this line its first refusal would end it.
bot.catch(() => {});

process.once('SIGTERM', () => process.exit(0));
await bot.launch(() => console.log('The reference bot is running'));

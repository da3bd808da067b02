import { z } from 'zod';
import { httpUrl, nameText, seconds } from './text.ts';

export const modelSchema = z
  .object({
    name: nameText,
    base_url: httpUrl.default('https://api.openai.com/v1'),
    /** Servers on one's own machine often need none. */
    api_key: z.string().default('').meta({ secret: true }),
    /** The endpoint's name for the model; only the demo model has none. */
    model: z.string().default(''),
    /** In tokens. */
    context_window: z.int().min(1024).default(128_000),
    max_output_tokens: z.int().min(1).optional(),
    temperature: z.number().min(0).max(2).optional(),
    vision: z.boolean().default(false),
    /** Send `reasoning_content` back with earlier answers; DeepSeek's reasoning models insist on it. */
    replay_reasoning: z.boolean().default(false),
    idle_timeout_seconds: seconds.default(120),
    total_timeout_seconds: seconds.default(900),
    /** What a million tokens cost, for the views of what was used. */
    price: z
      .object({
        input_per_million: z.number().min(0),
        output_per_million: z.number().min(0),
        currency: z
          .string()
          .regex(/^[A-Z]{3}$/, 'expected a currency code such as USD or CNY')
          .default('USD'),
      })
      .optional(),
    /** The model that is built in: works offline, and is labelled wherever it answers. */
    demo: z.boolean().default(false),
  })
  .check((payload) => {
    if (payload.value.demo || payload.value.model !== '') return;
    payload.issues.push({
      code: 'custom',
      path: ['model'],
      message: "missing; expected the endpoint's name for the model, such as gpt-5-mini",
      input: payload.value,
    });
  });

export type ModelEntry = z.output<typeof modelSchema>;

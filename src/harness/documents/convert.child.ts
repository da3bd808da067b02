import { AntlerError } from '../../base/errors.ts';
import { convert } from './convert.ts';
import type { DocumentSource } from './port.ts';
import { problems } from './problems.ts';
import type { ConversionReport } from './report.ts';

/**
 * Converts one document and ends. Started by `converter.ts` without environment, files or children of its own, because
 * whoever made the document may have meant harm.
 */
process.once('message', async (source: DocumentSource) => {
  const report = await convert(source).then(
    (converted): ConversionReport => ({ ok: true, converted }),
    (thrown: unknown): ConversionReport => {
      const { code, message } = problemOf(thrown);
      return { ok: false, code, message };
    },
  );
  process.send?.(report, () => process.disconnect());
});

// What a parser lets go wrong beside its result shows in the result, or in that there is none.
process.on('unhandledRejection', () => {});

function problemOf(thrown: unknown): AntlerError {
  if (thrown instanceof AntlerError) return thrown;
  return thrown instanceof RangeError || /nested tags/i.test(String(thrown)) ? problems.tooDeep() : problems.damaged();
}

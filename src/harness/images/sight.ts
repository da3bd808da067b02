import type { LogEntry } from '../log.ts';
import type { Assistant, FileAccess } from '../port.ts';
import { filesOf, type Images, looksLikeImage, type ViewedImage } from '../transcript/images.ts';
import { MAX_IMAGES } from './limits.ts';
import { ImageShelf } from './shelf.ts';

/** What a run's models can see. */
export class Sight {
  readonly #shelf: ImageShelf;
  readonly #sees: boolean;
  /** The endpoint has refused images in this run. */
  #blind = false;
  #viewed: readonly ViewedImage[] = [];

  constructor(files: FileAccess, { model, fallbacks }: Assistant) {
    this.#shelf = new ImageShelf(files);
    this.#sees = [model, ...fallbacks].some(({ vision }) => vision);
  }

  get isBlind(): boolean {
    return this.#blind;
  }

  /** Asked for by a tool in this turn, oldest first. */
  get viewed(): readonly ViewedImage[] {
    return this.#viewed;
  }

  /** Shows an image from the next step on; of one name the newest. */
  view(image: ViewedImage): void {
    this.#viewed = [...this.#viewed.filter(({ name }) => name !== image.name), image].slice(-MAX_IMAGES);
  }

  /** Newest first. */
  get images(): Images {
    return this.#shelf.images;
  }

  /** Loads the images that a model which sees is to be shown. */
  async look(log: readonly LogEntry[], signal: AbortSignal): Promise<void> {
    if (this.#sees && !this.#blind) await this.#shelf.look(log, signal);
  }

  /**
   * The endpoint does not take images, so that it is shown none any more. True when the person is to be told: the first
   * time, and only if what they said in `turn` came with one.
   */
  goBlind(turn: readonly LogEntry[]): boolean {
    if (this.#blind) return false;
    this.#blind = true;
    return turn.some((entry) => entry.kind === 'user' && filesOf(entry).some(looksLikeImage));
  }
}

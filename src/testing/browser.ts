import { type Browser, chromium } from 'playwright-core';
import { findChromium } from './services.ts';

/** A headless Chromium that asks nobody for anything by itself. Tests that use it skip where there is none. */
export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: findChromium() ?? '',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });

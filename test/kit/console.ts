import { spawnSync } from 'node:child_process';
import axe from 'axe-core';
import { type BrowserContext, chromium, type Page } from 'playwright-core';

const executablePath = spawnSync('which', ['chromium'], { encoding: 'utf8' }).stdout?.trim();

/** Debian's Chromium, driven by Playwright. Every person gets a context with its own cookies. */
export async function openConsoleBrowser() {
  const browser = await chromium.launch({
    executablePath: executablePath ?? '',
    args: ['--no-sandbox'],
  });
  return {
    /** Logs in with a key and opens a page of the console. */
    async logIn(url: string, key: string, path = '/', options: ContextOptions = {}) {
      const context = await browser.newContext(options);
      const page = await context.newPage();
      page.setDefaultTimeout(8_000);
      const complaints = collectComplaints(page);
      await page.goto(`${url}/login?next=${encodeURIComponent(path)}`);
      await page.fill('#key', key);
      await page.keyboard.press('Enter');
      await page.waitForSelector('main');
      return { page, complaints, context };
    },
    close: () => browser.close(),
  };
}

type ContextOptions = Parameters<Awaited<ReturnType<typeof chromium.launch>>['newContext']>[0];

/** Errors of scripts, and what the content security policy refused. */
function collectComplaints(page: Page): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (/Content.Security.Policy|TrustedHTML|TrustedScript/i.test(message.text()))
      complaints.push(message.text());
  });
  return complaints;
}

/** Serious and critical findings of axe-core. */
export async function findBarriers(context: BrowserContext, page: Page): Promise<string[]> {
  // The policy of the page would refuse the script, but not the debugger's evaluation.
  const session = await context.newCDPSession(page);
  await session.send('Runtime.evaluate', { expression: axe.source });
  const { result } = await session.send('Runtime.evaluate', {
    expression: `axe.run().then(({ violations }) => violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`,
    awaitPromise: true,
    returnByValue: true,
  });
  await session.detach();
  return result.value as string[];
}

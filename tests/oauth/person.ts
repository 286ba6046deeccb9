import { newEmail, registering } from '#tests/accounts/people/page-visitor.ts'
import { Browser } from './browser.ts'

/** The browser of a person who has just registered at this server. */
export async function personAt(url: string): Promise<Browser> {
  const browser = new Browser(url)
  const { status, text } = await browser.post('/sign-in', registering(newEmail()))
  if (status !== 303) throw new Error(`registration failed: ${status} ${text}`)
  return browser
}

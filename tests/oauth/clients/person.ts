import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { expect } from 'vitest'
import type { Browser, Shown } from '../browser.ts'
import { consentOf, consenting } from '../program.ts'

/**
 * Opens what a program has sent the person to, and agrees to all of it, or to the scopes that are named.
 * @returns where the browser is sent on to: an address of the program
 */
export async function agreeAt(
  browser: Browser,
  address: string,
  scopes?: readonly string[],
): Promise<URL> {
  const page = await browser.follow(await browser.get(address))
  expect(page.text).toContain('asks for access')
  return new URL((await agreeOn(browser, page, scopes)).goesTo)
}

/** Agrees on the page of a request that is shown. */
export async function agreeOn(
  browser: Browser,
  page: Shown,
  scopes?: readonly string[],
): Promise<Shown> {
  const form = consenting(page).filter(
    ([name, value]) => name !== 'allowed' || scopes === undefined || scopes.includes(value),
  )
  return browser.follow(await browser.post(consentOf(page), form))
}

/** Enters the code of a device, compares it, and agrees. */
export async function connectDevice(browser: Browser, user_code: string): Promise<Shown> {
  const secretOf = ({ text }: Shown) => /name="xsrf" value="([^"]*)"/.exec(text)?.[1] ?? ''
  const first = await browser.get('/oauth/device')
  const compared = await browser.post('/oauth/device', { xsrf: secretOf(first), user_code })
  expect(compared.text).toContain(user_code)
  const form = { xsrf: secretOf(compared), user_code, confirm: 'yes' }
  const page = await browser.follow(await browser.post('/oauth/device', form))
  return agreeOn(browser, page)
}

/** A port on which a program may wait for the browser. */
export async function freePort(): Promise<number> {
  const holder = createServer().listen(0, '127.0.0.1')
  await once(holder, 'listening')
  const { port } = holder.address() as AddressInfo
  holder.close()
  await once(holder, 'close')
  return port
}

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { comeIn } from '#tests/e2e/people/browser.ts'
import { book, topUp } from '#tests/money/wallet/movements.ts'
import { faultsOf } from '#tests/support/browser/axe.ts'
import { browserHere } from '#tests/support/browser/browser.ts'
import { colorSchemes, tabsOf } from '#tests/support/browser/tabs.ts'
import { served } from '#tests/support/served/served.ts'

const visibility = {
  profile_visibility: 'public',
  show_in_directory: true,
  public_sections: ['tagline', 'skills'],
  ability_access: { feed: 'public' },
}
const server = served({
  character: {
    id: 'poet',
    name: 'Pia',
    tagline: 'Poems on demand',
    skills: ['rhymes'],
    visibility,
  },
})
const browser = await browserHere()
const tabs = tabsOf(browser)

beforeAll(async () => {
  const fields = [
    { key: 'topic', label: 'About what?', required: true },
    { key: 'tone', label: 'Tone', type: 'select', options: ['calm', 'merry'] },
    { key: 'named', label: 'Name me', type: 'checkbox' },
  ]
  const runs = { runtime: 'template', prompt: 'On {{topic}}, {{tone}}', form_schema: { fields } }
  const task = { task_id: 'poem', name: 'A poem', price_cents: 300, service_enabled: true, ...runs }
  await server.world.ask('tasks.create', { char_id: 'poet', task }, server.key)
  await server.world.ask('feed.post', { char_id: 'poet', content: 'A new one is out.' }, server.key)
})
afterAll(async () => {
  await tabs.close()
  await browser?.close()
})

describe.skipIf(!browser)('someone who looks for a service, without scripts', () => {
  it('finds it, orders and pays it, sees what was delivered, and rates it', async () => {
    const { page, complaints } = await tabs.open({ javaScriptEnabled: false })
    await page.goto(`${server.url}/sign-in?register`)
    await comeIn(page, 'Register', { email: 'kim@example.org', password: 'a few words in a row' })
    await page.waitForURL((url) => !url.pathname.startsWith('/sign-in'))
    const { store } = server.world.ports
    const person = await store.accounts.find({ kind: 'person' })
    for (const { id } of person) {
      await book(store, { ...topUp(id, 1000, `for ${id}`), currency: 'usd' })
    }
    await page.goto(`${server.url}/directory`)
    await page.getByRole('searchbox').fill('rhymes')
    await page.getByRole('button', { name: 'Find' }).click()
    await page.getByRole('link', { name: 'Pia' }).click()
    expect(await page.textContent('main')).toContain('A new one is out.')
    const agent = page.url()
    await page.getByRole('link', { name: 'A poem' }).click()
    const service = page.url()
    await page.getByRole('button', { name: 'Order' }).click()
    expect(await page.textContent('main')).toContain('Fill this in.')
    await page.getByLabel('About what?').fill('the <b>sea</b>')
    await page.getByLabel('Tone').selectOption('merry')
    await page.getByRole('button', { name: 'Order' }).dblclick()
    await page.waitForURL(/\/order\//)
    while ((await page.getByText('Look again').count()) > 0) await page.reload()
    expect(await page.textContent('main')).toContain('On the <b>sea</b>, merry')
    expect(await store.orders.find({ char_id: 'poet' })).toHaveLength(1)
    const order = page.url()
    expect(await faults([`${server.url}/directory`, agent, service, order])).toEqual([])
    await page.getByLabel('How was it?').selectOption('4')
    await page.getByLabel(/In words/).fill('It rhymes.')
    await page.getByRole('button', { name: 'Rate it' }).click()
    await page.getByText('4 of 5').waitFor()
    // The server keeps a page of everyone for a moment.
    await page.goto(`${agent}?again`)
    expect(await page.textContent('main')).toContain('4.0 of 5 by 1 buyer')
    // The form that was sent empty was refused.
    expect(complaints.filter((one) => !one.includes('422'))).toEqual([])

    /** What is in the way of someone on these pages, on a phone and a desktop, by day and by night. */
    async function faults(urls: readonly string[]): Promise<string[]> {
      const found: string[] = []
      const cookies = await page.context().cookies()
      for (const width of [390, 1280]) {
        const tab = await tabs.open({ javaScriptEnabled: true, viewport: { width, height: 844 } })
        await tab.page.context().addCookies(cookies)
        for (const url of urls) {
          await tab.page.goto(url)
          for (const colorScheme of colorSchemes) {
            await tab.page.emulateMedia({ colorScheme })
            found.push(...(await faultsOf(tab.page)).map((fault) => `${width} ${url} ${fault}`))
          }
        }
        found.push(...tab.complaints)
      }
      return found
    }
  })
})

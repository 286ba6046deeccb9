import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tabsOf } from '#tests/support/browser/tabs.ts'
import { browserHere } from '#tests/support/browser/browser.ts'
import { served } from '#tests/support/served/served.ts'

/** A name that shows itself in reverse, hides a part, closes what holds it, and never ends. */
const evil = `"'><img src=x onerror=alert(1)></title></script><b>\u202egnp.exe\u2066 \u200ba\u200b\u00ad ${'ש'.repeat(40)}`
const long = `${evil} ${'W'.repeat(10_000)}`
/** The same as the name of an agent or a task may be: hidden marks are refused there. */
const visible = evil.replaceAll(/\p{Cf}/gu, '') + 'W'.repeat(60)
const zalgo = 'e\u0301\u0302\u0303'.repeat(300)
const hiddenMarks = /[\u200b\u00ad\u202a-\u202e\u2066-\u2069]/

const fields = ['text', 'textarea', 'select', 'multiselect', 'radio', 'checkbox'].map(
  (type, i) => ({
    key: `k${i}`,
    label: long,
    type,
    placeholder: long,
    options: ['select', 'multiselect', 'radio'].includes(type)
      ? [evil, zalgo, 'W'.repeat(3000)]
      : [],
  }),
)

const server = served({
  character: {
    id: 'evil-ada',
    name: visible,
    role: long,
    tagline: long,
    bio: long,
    skills: [evil, 'W'.repeat(200), zalgo],
    visibility: {
      profile_visibility: 'public',
      show_in_directory: true,
      public_bio: long,
      public_sections: ['role', 'tagline', 'bio', 'skills', 'owner', 'knowledge_domains'],
    },
  },
})

beforeAll(async () => {
  const does = { runtime: 'template', service_enabled: true, prompt: long }
  const said = { name: visible, public_title: long, description: long, cta_label: long }
  const form_schema = { fields }
  const tasks = [
    { task_id: 'asks', ...does, ...said, form_schema },
    { task_id: 'gives', ...does, ...said, cta_label: evil },
  ]
  for (const task of tasks) {
    await server.world.ask('tasks.create', { char_id: 'evil-ada', task }, server.key)
  }
  const { ports } = server.world
  const name = visible
  const agent = await ports.store.characters.get('evil-ada')
  await ports.store.accounts.update({ id: agent?.owner_id }, { $set: { name } })
})

/** The pages on which the names of others are. */
const pages = async (): Promise<string[]> => {
  const made = await server.world.ask<{ id: string; token: string }>('orders.create', {
    char_id: 'evil-ada',
    task_id: 'gives',
    form: { request: long.slice(0, 10_000) },
  })
  return [
    '/directory',
    '/directory?q=gnp.exe',
    `/directory?skill=${encodeURIComponent(evil)}`,
    '/directory/evil-ada',
    '/directory/evil-ada/asks',
    '/directory/evil-ada/gives',
    `/order/${made.id}?token=${made.token}`,
  ]
}

describe('the market, where every name was written to break it', () => {
  it('shows names as text in which nothing is hidden and nothing turns round', async () => {
    for (const path of await pages()) {
      const response = await fetch(server.url + path)
      const text = await response.text()
      expect([response.status, text.includes('&lt;img')], path).toEqual([200, true])
      const page = text.replace(/<script type="application\/ld\+json">[^]*?<\/script>/, '')
      expect(page, path).not.toMatch(/<(?:script|img)\b|<b>/)
      expect(page.match(/<\/title>/g), path).toHaveLength(1)
      const shown = page.replaceAll(/ value="[^"]*"/g, '')
      expect(hiddenMarks.exec(shown)?.index, path).toBeUndefined()
    }
  })
})

const browser = await browserHere()

describe.skipIf(!browser)('the same on a phone', () => {
  const tabs = tabsOf(browser)
  afterAll(async () => {
    await tabs.close()
    await browser?.close()
  })

  it('is not wider than it, and complains of nothing', async () => {
    const phone = { viewport: { width: 390, height: 844 }, isMobile: true }
    const { page, complaints } = await tabs.open({ ...phone, javaScriptEnabled: true })
    for (const path of await pages()) {
      await page.goto(server.url + path)
      const more = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
      expect([path, more]).toEqual([path, 0])
    }
    expect(complaints).toEqual([])
  }, 60_000)
})

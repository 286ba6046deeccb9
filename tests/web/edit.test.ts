import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { serving, type Serving } from '#tests/adapters/serve.ts'
import type { Shown } from '#tests/accounts/people/page-visitor.ts'
import { ownerAt, type Owner } from './owner.ts'

const markup = `<script>alert(1)</script> & "co"`

let server: Serving
let url = ''
beforeAll(async () => {
  server = await serving({ ABODE_RATE_LIMITS: 'off' }, catalog)
  ;({ url } = server)
})
afterAll(() => server[Symbol.asyncDispose]())

const letter = {
  task_id: 'letter',
  name: 'Letter',
  runtime: 'template',
  prompt: 'One\nTwo\nThree',
  triggers: [
    { type: 'message', config: {} },
    { type: 'cron', config: { cron: '0 9 * * *', timezone: 'Europe/Berlin' } },
  ],
}

async function ownerOf(id: string): Promise<Owner> {
  const owner = await ownerAt(url)
  const greta = { id, name: 'Greta', tagline: 'Reads', heart: { tasks: [letter] } }
  await owner.on('POST', '/api/characters/', greta)
  return owner
}

const entities: ReadonlyMap<string, string> = new Map([
  ['&amp;', '&'],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&#39;', "'"],
])

function plain(text: string): string {
  return text.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (one) => entities.get(one) ?? one)
}

/** What a browser would send of the form of a page. */
function formOf({ text }: Shown): Record<string, string> {
  const main = text.slice(text.indexOf('<main'))
  const form: Record<string, string> = {}
  for (const [tag] of main.matchAll(/<input[^>]*>/g)) {
    const [, name = ''] = /name="([^"]*)"/.exec(tag) ?? []
    form[name] = plain(/value="([^"]*)"/.exec(tag)?.[1] ?? '')
  }
  for (const [, name = '', value = ''] of main.matchAll(
    /<textarea[^>]*name="([^"]*)"[^>]*>\n([^<]*)<\/textarea>/g,
  )) {
    form[name] = plain(value).replaceAll('\n', '\r\n')
  }
  for (const [, name = '', inner = ''] of main.matchAll(
    /<select[^>]*name="([^"]*)"[^>]*>([^]*?)<\/select>/g,
  )) {
    form[name] = /value="([^"]*)"\s*selected/.exec(inner)?.[1] ?? ''
  }
  return form
}

describe('a page on which something is edited', () => {
  it('shows what would change, saves that alone, and leads back', async () => {
    const { visitor, on } = await ownerOf('greta-1')
    const path = '/agents/greta-1/profile'
    const form = { ...formOf(await visitor.get(path)), tagline: `Reads more ${markup}` }
    const nothing = await visitor.post(path, { ...formOf(await visitor.get(path)), action: 'look' })
    expect(nothing.text).toContain('Nothing is changed yet.')
    const look = await visitor.post(path, { ...form, action: 'look' })
    expect(look.text).toMatch(/<del>.*Reads<\/del>/)
    expect(look.text).toContain('Reads more &lt;script')
    expect(look.text).not.toContain('<script>alert')
    expect(await on('GET', '/api/characters/greta-1')).toMatchObject({ tagline: 'Reads' })
    const again = await visitor.post(path, { ...formOf(look), action: 'edit' })
    expect(formOf(again)).toMatchObject({ tagline: `Reads more ${markup}` })
    const saved = await visitor.post(path, { ...formOf(look), action: 'save' })
    expect(saved.goesTo).toBe('/agents/greta-1?done=saved')
    expect((await visitor.get(saved.goesTo)).text).toContain('The change is saved.')
    const agent = await on('GET', '/api/characters/greta-1')
    expect(agent).toMatchObject({ name: 'Greta', tagline: `Reads more ${markup}`, revision: 2 })
  })

  it('loses nothing where another changed it meanwhile, and undoes nothing that the other did', async () => {
    const { visitor, on } = await ownerOf('greta-2')
    const path = '/agents/greta-2/profile'
    const form = { ...formOf(await visitor.get(path)), bio: 'A long text' }
    const look = await visitor.post(path, { ...form, action: 'look' })
    await on('PUT', '/api/characters/greta-2', { role: 'Editor' })
    const late = await visitor.post(path, { ...formOf(look), action: 'save' })
    expect(late.status).toBe(409)
    expect(late.text).toContain('It was changed meanwhile')
    expect(late.text).toContain('A long text')
    await visitor.post(path, { ...formOf(late), action: 'save' })
    expect(await on('GET', '/api/characters/greta-2')).toMatchObject({
      role: 'Editor',
      bio: 'A long text',
    })
  })

  it('says next to the field what is refused, and keeps what was typed', async () => {
    const { visitor } = await ownerOf('greta-3')
    const path = '/agents/greta-3/tasks/letter/edit'
    const form = { ...formOf(await visitor.get(path)), cron: 'at nine', prompt: 'One\r\nTwo' }
    const look = await visitor.post(path, { ...form, action: 'look' })
    const refused = await visitor.post(path, { ...formOf(look), action: 'save' })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('id="cron-problem"')
    expect(formOf(refused)).toMatchObject({ cron: 'at nine', prompt: 'One\r\nTwo' })
  })

  it('moves the schedule of a task and keeps its other triggers', async () => {
    const { visitor, on } = await ownerOf('greta-4')
    const path = '/agents/greta-4/tasks/letter/edit'
    const form = { ...formOf(await visitor.get(path)), cron: '30 6 * * 1-5' }
    const look = await visitor.post(path, { ...form, action: 'look' })
    expect(look.text).not.toContain('<h3>What it is asked')
    const saved = await visitor.post(path, { ...formOf(look), action: 'save' })
    expect(saved.goesTo).toBe('/agents/greta-4/tasks/letter?done=saved')
    const task = await on('GET', '/api/characters/greta-4/tasks/letter')
    expect(task).toMatchObject({
      prompt: 'One\nTwo\nThree',
      triggers: [
        { type: 'message' },
        { type: 'cron', config: { cron: '30 6 * * 1-5', timezone: 'Europe/Berlin' } },
      ],
    })
  })

  it('opens an agent to others, and shows what they see then', async () => {
    const { visitor, on } = await ownerOf('greta-5')
    const path = '/agents/greta-5/visibility'
    const form = {
      ...formOf(await visitor.get(path)),
      profile_visibility: 'public',
      feed: 'public',
    }
    const look = await visitor.post(path, { ...form, public_sections: 'tagline', action: 'look' })
    expect(look.text).toMatch(/<del>.*this account alone<\/del>/)
    const { goesTo } = await visitor.post(path, { ...formOf(look), action: 'save' })
    const page = await visitor.get(goesTo)
    expect(page.text).toContain('As everyone sees it now')
    expect(page.text).toMatch(/<dt>Tagline<\/dt>\s*<dd><bdi>Reads/)
    expect(await on('GET', '/api/characters/greta-5/visibility')).toMatchObject({
      profile_visibility: 'public',
      ability_access: { feed: 'public', chat: 'private' },
    })
  })

  it('is not there for another account, nor changed by its forms', async () => {
    await ownerOf('greta-6')
    const other = await ownerAt(url)
    const form = { action: 'save', name: 'Mine', revision: '1' }
    for (const path of ['profile', 'visibility', 'tasks/letter/edit']) {
      const at = `/agents/greta-6/${path}`
      expect((await other.visitor.get(at)).status, path).toBe(404)
      expect((await other.visitor.post(at, form)).status, path).toBe(404)
    }
  })
})

import { beforeAll, expect, it } from 'vitest'
import {
  pageVisitor,
  registeredVisitor,
  type PageVisitor,
} from '#tests/accounts/people/page-visitor.ts'
import { read } from '#tests/house/tree.ts'
import { served } from '#tests/support/served/served.ts'
import { makeDesk } from '#tests/web/desk.ts'
import { call } from '#tests/support/rest/call.ts'

const server = served()
let visitor: PageVisitor
let places: Record<string, string>

beforeAll(async () => {
  visitor = await registeredVisitor(server.url)
  // Nothing answers there: its run fails.
  const desk = await makeDesk(server.url, 'http://127.0.0.1:9/mail')
  const { pathname } = new URL(desk.claimUrl)
  const { goesTo } = await visitor.post(pathname, { action: 'complete' })
  expect(goesTo).toBe(pathname)
  const asked = '/api/approvals/?state=pending'
  const { items } = await call<{ items: { id: string }[] }>(server.url, 'GET', asked, desk.key)
  places = {
    '/approvals/{id}': `/approvals/${items[0]?.id}`,
    '/runs/{id}': `/runs/${desk.failed}`,
    '{agent}': desk.reader,
    '{task}': 'sort',
  }
})

/** The pages that the guide names, each with what is said to stand on it. */
function pagesOf(guide: string): [path: string, bold: string[]][] {
  const [body = ''] = guide.split('## What can go wrong')
  const found: [string, string[]][] = []
  for (const [, path, bold] of body.matchAll(/`(\/[^`]*)`|\*\*([^*]+)\*\*/g)) {
    if (path !== undefined) found.push([path, []])
    else found.at(-1)?.[1].push(bold?.replaceAll('\n', ' ').replaceAll(/ +/g, ' ') ?? '')
  }
  return found
}

it('leads to pages that have what it says, letter by letter', async () => {
  const missing: string[] = []
  for (const [named, bold] of pagesOf(read('docs/guides/for-people.md'))) {
    const path = Object.entries(places).reduce((at, [from, to]) => at.replace(from, to), named)
    const reader = path === '/sign-in' ? pageVisitor(server.url) : visitor
    const { status, text } = await reader.get(path)
    if (status !== 200) missing.push(`${named}: ${status}`)
    const shown = text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
    missing.push(...bold.filter((words) => !shown.includes(words)).map((one) => `${named}: ${one}`))
  }
  expect(missing).toEqual([])
})

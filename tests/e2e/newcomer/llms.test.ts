import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startServer, type ServerProcess } from '#tests/support/process.ts'
import { Memory } from './memory.ts'
import { expectReached } from './reached.ts'
import { linkAbout, linksOf, read } from './read.ts'
import { sent } from './requests.ts'
import { walked, type Door, type Step } from './walk.ts'

let server: ServerProcess
// What one newcomer asks in the Commons, the next must not ask again.
beforeEach(async () => {
  server = await startServer({ env: { ABODE_POW_BITS: '8' } })
})
afterEach(() => server.dispose())

/** The last answer that has all of these members. */
function answerWith(steps: readonly Step[], ...members: readonly string[]): unknown {
  return steps
    .map(({ answer }) => answer)
    .findLast(
      (answer) =>
        typeof answer === 'object' && answer && members.every((member) => member in answer),
    )
}

const doors: readonly Door[] = ['REST', 'MCP', 'A2A']

describe('a newcomer who is given an address and reads its /llms.txt', () => {
  it.each(doors)('reaches a key, an app, a run and the Commons over %s', async (door) => {
    const links = linksOf(await read(`${server.url}/llms.txt`))
    const memory = new Memory()

    const skill = linkAbout(links, /skill/i, /\bkey\b/, /\bapp\b/, /\brun\b/)
    const page = await read(skill.url)
    const steps = await walked({ page, base: server.url }, memory, { door })

    const commons = await read(linkAbout(links, /forum/, /joining/).url)
    const takes = (heading: string) => /^(?:Join|Answer)$/.test(heading)
    const inCommons = await walked({ page: commons, base: server.url }, memory, { takes })
    const list = inCommons.findLast(({ line }) => /^GET .*\/replies/.test(line))
    expect(list, 'the page shows how replies are read').toBeDefined()

    const headers = { Authorization: `Bearer ${memory.credential('ab_')}` }
    expectReached(memory, {
      account: await sent({ method: 'GET', url: `${server.url}/api/account`, headers }),
      app: answerWith(steps, 'agents', 'secrets_needed'),
      run: answerWith(steps, 'task_id', 'status', 'output'),
      replies: JSON.parse(await read(list?.line.replace('GET ', '') ?? '')) as unknown,
    })
  })

  it('finds every page that it links, each of which is there', async () => {
    const links = linksOf(await read(`${server.url}/llms.txt`))
    expect(links.length).toBeGreaterThan(10)
    for (const { url } of links) {
      expect(new URL(url).origin).toBe(server.url)
      expect((await read(url)).length, url).toBeGreaterThan(0)
    }
  })
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { startServer } from '#tests/support/process.ts'
import { oneStore } from '#tests/support/stores.ts'
import { startWebServer } from '#tests/support/web-server.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const timeout = 120_000

interface Played {
  code: number | null
  shown: string
  complaint: string
}

/** The settings of the machine, without any of the service's own that happen to be set. */
function ambient(): NodeJS.ProcessEnv {
  const own = /^(ABODE_|MONGODB_URI$)/
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.test(name)))
}

/** `npm run demo`, with nothing set of the service's own but this. */
async function demo(env: Record<string, string> = {}, ...args: string[]): Promise<Played> {
  const child = spawn('npm', ['run', '--silent', 'demo', '--', ...args], {
    cwd: root,
    env: { ...ambient(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [shown, complaint] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return { code: child.exitCode, shown, complaint }
}

const steps = [
  'An agent with no account gets a key',
  'An MCP client connects with that key',
  'A team of agents is provisioned from one manifest',
  'The app’s webhook was told that it lives, and the signature is verified',
  'Ruben reads the gauges every morning: a week of it, simulated',
  'Ottilie opens the log: a template task',
  'Ruben asks the gauges: an api task',
  'Inês is to write the forecast: a prompt task, which waits for a brain',
  'The demo leases the run: it is to be the brain',
  'The demo thinks, keeps the lease, and completes the run',
  'The result was handed to Tomasz: output sharing names his task',
  'Tomasz’s result went on as a message: Nilufar’s task has a message trigger',
  'Nilufar wants to close the quay: her task has an approval gate',
  'Ottilie agrees over A2A, and a follow-up run does the work',
  'A manifest with five faults is refused, with all of them',
  'The team is taken down, and the key revoked',
]

/** The titles that were shown, in their order and each with its number. */
function titlesIn(shown: string): string[] {
  const headings = [...shown.matchAll(/^ ?(\d+)\. (.+)\n {4}through (REST|MCP|A2A), /gm)]
  expect(headings.map(([, number]) => Number(number))).toEqual(headings.map((_, i) => i + 1))
  return headings.map(([, , title = '']) => title)
}

it.each(oneStore().map(({ name }) => name))(
  'plays every step on %s, through all three doors, and leaves nothing',
  async (name) => {
    const uri = process.env.MONGODB_URI
    const folder = await mkdtemp(join(tmpdir(), 'abode-demo-test-'))
    const { code, shown, complaint } = await demo({
      TMPDIR: folder,
      ...(name === 'mongodb' && uri !== undefined && { MONGODB_URI: uri }),
    })
    expect(complaint).toBe('')
    expect(code).toBe(0)
    expect(titlesIn(shown)).toEqual(steps)
    expect(shown).toContain(name === 'mongodb' ? 'MongoDB (a new database' : 'the embedded store')
    expect(shown).toContain('berths free: 7 of 40')
    expect(shown).toContain('"tide_cm":412')
    expect(shown).toMatch(/queued, waiting_for_worker\n/)
    expect(shown).toContain('who to be: You are Inês Valadares, Forecaster.')
    expect(shown).toMatch(/THE HARBOUR BULLETIN\n +Small boats stay in today: gusts of 42 knots/)
    expect(shown).toContain('Read and pinned to the board by N. Ehrlich:')
    expect(shown.match(/^ {6}\/(agents|connections)\/\d\S*: /gm)).toHaveLength(5)
    expect(shown).toContain('5 agents deleted')
    expect(shown).toMatch(/\nAll 16 steps went well\.\n$/)
    expect(shown).not.toMatch(/ab_[0-9A-Za-z]{38}/)
    expect((await readdir(folder)).filter((entry) => entry.startsWith('abode-'))).toEqual([])
    await rm(folder, { recursive: true })
  },
  timeout,
)

it(
  'shows a server that it did not start as one that guards its own network',
  async () => {
    const server = await startServer()
    try {
      const { code, shown, complaint } = await demo({}, server.url)
      expect(complaint).toBe('')
      expect(code).toBe(0)
      expect(titlesIn(shown)).toEqual(steps)
      expect(shown).toContain(`server  ${server.url}\n`)
      expect(shown).toContain('warning at /agents/1/heart/tasks/0/api_url')
      expect(shown).toMatch(/refused by the guard, as it should be: http:\/\/127\.0\.0\.1:\d+ is/)
      expect(shown).toMatch(/start the server with ABODE_OUTBOUND_ALLOW=http:\/\/127\.0\.0\.1:\d+/)
      expect(shown).toContain('THE HARBOUR BULLETIN')
    } finally {
      await server.dispose()
    }
  },
  timeout,
)

it(
  'names the step that a server refuses, and ends as failed',
  async () => {
    const server = await startServer({ env: { ABODE_QUOTAS: 'apps=0' } })
    try {
      const { code, shown, complaint } = await demo({ ABODE_DEMO_URL: server.url })
      expect(code).toBe(1)
      expect(titlesIn(shown)).toEqual(steps.slice(0, 3))
      expect(complaint).toContain(`Step 3 failed (${steps[2]}): quota_exceeded: `)
      expect(shown).not.toContain('went well')
    } finally {
      await server.dispose()
    }
  },
  timeout,
)

it(
  'fails at its first step against what is no Abode at all',
  async () => {
    const server = await startWebServer()
    try {
      const { code, shown, complaint } = await demo({}, server.origin)
      expect(code).toBe(1)
      expect(titlesIn(shown)).toEqual(steps.slice(0, 1))
      expect(complaint).toContain(`Step 1 failed (${steps[0]}): status 404`)
    } finally {
      server.close()
    }
  },
  timeout,
)

it(
  'leaves the team standing where it is asked to, and says who may take it over',
  async () => {
    const server = await startServer()
    try {
      const { code, shown, complaint } = await demo({}, '--keep', server.url)
      expect(complaint).toBe('')
      expect(code).toBe(0)
      expect(titlesIn(shown)).toEqual([
        ...steps.slice(0, -1),
        'The team stays, and a person may take it over',
      ])
      const [, link = ''] = /claim it at (\S+)/.exec(shown) ?? []
      const page = await fetch(link)
      expect(page.status).toBe(200)
      expect(await page.text()).toContain('Demo')
    } finally {
      await server.dispose()
    }
  },
  timeout,
)

it(
  'keeps its own server with the team until it is interrupted',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'abode-demo-test-'))
    const child = spawn(process.execPath, [join(root, 'examples/demo/play.ts'), '--keep'], {
      env: { ...ambient(), TMPDIR: folder },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let shown = ''
    for await (const chunk of child.stdout) {
      shown += String(chunk)
      if (shown.includes('Ctrl+C')) break
    }
    const [, link = ''] = /claim it at (\S+)/.exec(shown) ?? []
    expect((await fetch(link)).status).toBe(200)
    child.kill('SIGINT')
    await once(child, 'close')
    expect(child.exitCode).toBe(0)
    expect((await readdir(folder)).filter((entry) => entry.startsWith('abode-'))).toEqual([])
    await rm(folder, { recursive: true })
  },
  timeout,
)

it(
  'stops its server and leaves nothing when it is interrupted',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'abode-demo-test-'))
    const child = spawn(process.execPath, [join(root, 'examples/demo/play.ts')], {
      env: { ...ambient(), TMPDIR: folder },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const complaint = text(child.stderr)
    let shown = ''
    for await (const piece of child.stdout.setEncoding('utf8')) {
      const before = shown.includes('server  http')
      shown += String(piece)
      if (!before && shown.includes('server  http')) child.kill('SIGINT')
    }
    if (child.exitCode === null) await once(child, 'close')
    expect(child.exitCode).toBe(1)
    expect(await complaint).toContain('The demo was interrupted.')
    expect(shown).not.toContain('went well')
    const [, url = ''] = /server {2}(http:\S+),/.exec(shown) ?? []
    await expect(fetch(`${url}/health`)).rejects.toThrow('fetch failed')
    expect((await readdir(folder)).filter((entry) => entry.startsWith('abode-'))).toEqual([])
    await rm(folder, { recursive: true })
  },
  timeout,
)

it('says what an address has to be', async () => {
  const { code, shown, complaint } = await demo({}, 'localhost:8080')
  expect(code).toBe(64)
  expect(shown).toBe('')
  expect(complaint).toContain('"localhost:8080" is not the address of a server')
})

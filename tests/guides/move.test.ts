import { execFile } from 'node:child_process'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readGuide } from '#adapters/compose/guide-files.ts'
import { root } from '#tests/house/tree.ts'
import { blocksOf } from '#tests/support/guides/blocks.ts'
import { startServer, type ServerProcess } from '#tests/support/process.ts'
import { stores } from '#tests/support/stores.ts'

const run = promisify(execFile)

/** The block of a guide that is for another machine, with places of the test's own. */
async function commandOf(
  guide: string,
  purpose: string,
  stands: Readonly<Record<string, string>>,
): Promise<string> {
  const block = blocksOf(await readGuide(guide)).find(({ info }) => info[1] === purpose)
  if (!block) throw new Error(`the guide ${guide} has no block ${purpose}`)
  return Object.entries(stands).reduce((text, [word, value]) => {
    expect(text).toContain(word)
    return text.replaceAll(word, value)
  }, block.text)
}

let folder: string
let server: ServerProcess | undefined
let key: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'abode-moving-'))
  server = await startServer({ dataDir: join(folder, 'data') })
  const claim = await fetch(`${server.url}/api/agent-claim`, { method: 'POST' })
  // The answer has a key.
  ;({ api_key: key } = (await claim.json()) as { api_key: string })
})
afterEach(async () => {
  await server?.end('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

async function expectKey({ url }: ServerProcess): Promise<void> {
  const headers = { authorization: `Bearer ${key}` }
  expect((await fetch(`${url}/api/account`, { headers })).status).toBe(200)
}

/** Types it where the repository is. */
const typed = (script: string): Promise<{ stdout: string }> =>
  run('bash', ['-eu', '-c', script], { cwd: root, timeout: 100_000 })

describe('the guide to running it', () => {
  it('makes a backup of a server that runs', async () => {
    const script = await commandOf('running-it', 'backup', {
      'data/abode.db': join(folder, 'data/abode.db'),
      'abode-backup.db': join(folder, 'backup.db'),
    })
    await typed(script)
    const database = new DatabaseSync(join(folder, 'backup.db'), { readOnly: true })
    expect(database.prepare('SELECT count(*) AS n FROM api_keys').get()).toMatchObject({ n: 1 })
    database.close()
    expect((await stat(join(folder, 'backup.db'))).size).toBeGreaterThan(0)
  })
})

const mongodb = stores().find(({ name }) => name === 'mongodb')

describe.runIf(mongodb)('the guide to moving to MongoDB', () => {
  it('moves a server there and back', async () => {
    const place = await mongodb?.newPlace()
    const uri = place?.uri ?? ''
    const address = 'mongodb://127.0.0.1:27017/abode?replicaSet=rs0'
    const data = join(folder, 'data')
    try {
      await server?.end('SIGTERM')
      const stands = { [address]: uri, './data': data }
      const copied = await typed(await commandOf('moving-to-mongodb', 'copy', stands))
      expect(copied.stdout).toContain('Done: start the server with MONGODB_URI')

      const start = await commandOf('moving-to-mongodb', 'mongodb', stands)
      const settings = start.replace(
        'npm start',
        'env | grep -E "^(MONGODB_URI|ABODE_MASTER_KEY)="',
      )
      const { stdout } = await typed(settings)
      const env = Object.fromEntries(
        stdout
          .trim()
          .split('\n')
          .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
      )
      server = await startServer({ dataDir: join(folder, 'unused'), env })
      await expectKey(server)
      await server.end('SIGTERM')

      const back = await commandOf('moving-to-mongodb', 'back', {
        [address]: uri,
        './data-again': join(folder, 'again'),
        '…': `${env['ABODE_MASTER_KEY']}`,
      })
      await typed(back)
      server = await startServer({ dataDir: join(folder, 'again') })
      await expectKey(server)
    } finally {
      await server?.end('SIGKILL')
      await place?.remove()
    }
  })
})

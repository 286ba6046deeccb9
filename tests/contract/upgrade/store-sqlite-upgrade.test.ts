import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openStore } from '#adapters/store/open.ts'
import { formOf, schemaVersion } from '#adapters/store/sqlite/upgrade/form.ts'
import { digest, newToken } from '#src/core/ids.ts'
import { Unavailable } from '#src/ports/store.ts'
import { runCommand, startServer } from '#tests/support/process.ts'

let folder: string
const at = (name = 'abode.db'): string => join(folder, name)

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'abode-upgrade-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** A store as the last version with that form has left it: an account with two agents, a task, a run and a secret. */
function putForm(form: number): void {
  const path = new URL(`forms/${form}.db.gz`, import.meta.url)
  writeFileSync(at(), gunzipSync(readFileSync(path)), { mode: 0o600 })
}

const forms = Array.from({ length: schemaVersion - 1 }, (_, i) => i + 1)

describe('a store of every form that there was', () => {
  it.each(forms)('is upgraded from form %i, and all that was in it is there', async (form) => {
    putForm(form)
    const key = newToken('ab')
    const raw = new DatabaseSync(at())
    const sql = "UPDATE api_keys SET hidden = json_set(hidden, '$.hash', ?)"
    raw.prepare(sql).run(digest(key))
    raw.close()
    const env = { ABODE_MASTER_KEY: '07'.repeat(32) }
    const server = await startServer({ dataDir: folder, env })
    try {
      const ask = async (path: string, body?: object): Promise<Record<string, unknown>> => {
        const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
        const sent = body && { method: 'POST', body: JSON.stringify(body) }
        const answer = await fetch(server.url + path, { headers, ...sent })
        return (await answer.json()) as Record<string, unknown>
      }
      expect(await ask('/api/characters/ada')).toMatchObject({
        tagline: 'Changed once',
        heart: { tasks: [{ task_id: 'say', name: 'Say it' }] },
      })
      const { items } = await ask('/api/characters/ada/secrets')
      expect(items).toMatchObject([{ name: 'TOKEN' }])
      const runs = await ask('/api/runs/')
      expect(runs['items']).toMatchObject([{ status: 'completed', output: 'said hello' }])
      const again = { input: 'again', wait_seconds: 20 }
      const run = await ask('/api/characters/ada/tasks/say/run', again)
      expect(run).toMatchObject({ status: 'completed', output: 'said again' })
      const friends = await ask('/api/characters/ada/friends')
      expect(friends['items']).toMatchObject([{ friend_id: 'bob' }])
      const [line = '{}'] = server.lines.filter((one) => one.includes('the store was upgraded'))
      const copy = at(`abode.db-form${form}`)
      expect(JSON.parse(line)).toMatchObject({ from: form, to: schemaVersion, copy })
      expect(statSync(copy).mode & 0o777).toBe(0o600)
      const before = new DatabaseSync(copy, { readOnly: true })
      expect(formOf(before)).toBe(form)
      expect(before.prepare('SELECT count(*) AS many FROM runs').get()).toEqual({ many: 1 })
      before.close()
    } finally {
      await server.dispose()
    }
  })
})

describe('an upgrade', () => {
  const last = schemaVersion - 1

  it('is done by one of several that start at once, and leaves indexes of the operator alone', async () => {
    putForm(last)
    const raw = new DatabaseSync(at())
    raw.exec("CREATE INDEX mine ON runs(doc ->> '$.status')")
    raw.exec('CREATE INDEX "runs:of_before" ON runs(id)')
    raw.close()
    const stores = await Promise.all([openStore({ folder }), openStore({ folder })])
    expect(stores.filter(({ upgrade }) => upgrade)).toHaveLength(1)
    for (const store of stores) await store.close()
    const found = new DatabaseSync(at(), { readOnly: true })
    const names = found.prepare("SELECT name FROM sqlite_schema WHERE tbl_name = 'runs'").all()
    expect(names.map(({ name }) => name)).toContain('mine')
    expect(names.map(({ name }) => name)).not.toContain('runs:of_before')
    found.close()
  })

  it('is not begun where the copy has no room, and the store stays as it was', async () => {
    putForm(last)
    // Nothing can be renamed over a folder.
    mkdirSync(at(`abode.db-form${last}`))
    await expect(openStore({ folder })).rejects.toThrow(/cannot be copied .*nothing was changed/)
    const raw = new DatabaseSync(at(), { readOnly: true })
    expect(formOf(raw)).toBe(last)
    raw.close()
    expect(readdirSync(folder).filter((name) => name.includes('draft'))).toEqual([])
  })

  it('is left to a server: a command tells that one is to be started', async () => {
    putForm(last)
    const env = { DATA_DIR: folder, ABODE_MASTER_KEY: '07'.repeat(32) }
    const { code, err } = await runCommand('verify', [], env)
    expect([code, err]).toEqual([78, expect.stringContaining('Start the server')])
    const raw = new DatabaseSync(at(), { readOnly: true })
    expect(formOf(raw)).toBe(last)
    raw.close()
  })

  it('that is damaged is told of by a command in words', async () => {
    writeFileSync(at(), Buffer.alloc(8192, 0xab))
    const env = { DATA_DIR: folder, ABODE_MASTER_KEY: '07'.repeat(32) }
    const { code, err } = await runCommand('verify', [], env)
    expect([code, err]).toEqual([78, expect.stringMatching(/abode\.db cannot be opened: .+\n$/)])
  })

  it('keeps processes of before from writing, which say so, and are not healthy', async () => {
    const store = await openStore({ folder })
    await store.meta.insert({ id: 'a', value: '1' })
    const newer = new DatabaseSync(at())
    newer.exec(`PRAGMA user_version=${schemaVersion + 1}`)
    newer.close()
    const refused = store.meta.insert({ id: 'b', value: '2' })
    await expect(refused).rejects.toBeInstanceOf(Unavailable)
    await expect(refused).rejects.toThrow(/newer version of Abode has upgraded/)
    expect(await store.meta.get('a')).toEqual({ id: 'a', value: '1' })
    expect(await store.meta.get('b')).toBeUndefined()
    expect(await store.isHealthy()).toBe(false)
    await store.close()
  })
})

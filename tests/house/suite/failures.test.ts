import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const run = promisify(execFile)

const files = {
  'tests.test.js': `
    describe('a group', () => {
      it('holds', () => undefined)
      it('differs', () => expect({ said: 'one' }).toEqual({ said: 'two' }))
      it('says much', () => { throw new Error(Array.from({ length: 30 }, (_, n) => 'line ' + n + '.').join('\\n')) })
    })
    describe('a group without its stage', () => {
      beforeAll(() => { throw new Error('there is no stage') })
      it('is never tried', () => undefined)
    })`,
  'unstable.test.js': `
    let tries = 0
    it('holds the second time', () => { tries += 1; expect(tries).toBe(2) })`,
  'broken.test.js': `import './nowhere.js'`,
  'uncaught.test.js': `
    it('ends before what it has begun', () => {
      void Promise.reject(new Error('no one has waited'))
    })`,
}

describe('the failures that CI shows at its end', () => {
  let folder: string
  let shown: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'abode-failures-'))
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
    const written = join(folder, 'failures')
    const reporter = `--reporter=${resolve('tests/support/suite/failures.ts')}`
    const vitest = [resolve('node_modules/vitest/vitest.mjs'), 'run', '--root', folder, '--globals']
    await run(process.execPath, [...vitest, '--retry=1', reporter], {
      cwd: folder,
      env: { ...process.env, FAILURES_FILE: written },
    }).catch(() => undefined)
    shown = await readFile(written, 'utf8')
  })
  afterAll(() => rm(folder, { recursive: true }))

  it('name each test that failed, with what it found', () => {
    expect(shown).toContain('FAILED  tests.test.js > a group > differs\n')
    expect(shown).toMatch(/- +"said": "two",\n +\+ +"said": "one"/)
    expect(shown).not.toContain('a group > holds')
  })

  it('show no more than the first lines of a message', () => {
    expect(shown).toContain('line 11.')
    expect(shown).not.toContain('line 12.')
  })

  it('name a group that could not begin, and a file that could not be loaded', () => {
    expect(shown).toMatch(/FAILED {2}tests\.test\.js > a group without its stage\n.*no stage/)
    expect(shown).toMatch(/FAILED {2}broken\.test\.js\n.*nowhere/)
  })

  it('name a test that passed only when it was tried again', () => {
    const name = 'unstable.test.js > holds the second time'
    expect(shown).toContain(`UNSTABLE, to be mended first:  ${name}\n`)
  })

  it('show what no test caught', () => {
    expect(shown).toMatch(/FAILED {2}what no test caught\n.*no one has waited/)
  })
})

import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasGenerator, writeTypes } from '#tests/documents/client/types.ts'
import { ran, type Ran } from '#tests/e2e/conformance/fetched.ts'
import { startServer, type ServerProcess } from '#tests/support/process.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const example = join(root, 'examples', 'typescript-client')
const program = join(example, 'first-run.ts')
// What is on this machine is not asked for by way of a proxy.
const env = { ...process.env, NO_PROXY: '*', no_proxy: '*' }
const patience = 180_000
const canGenerate = await hasGenerator()

describe('the client in TypeScript', () => {
  let server: ServerProcess
  beforeAll(async () => {
    server = await startServer()
  })
  afterAll(() => server.dispose())

  it('gets a key, makes an agent with a task, runs it, and searches the Commons', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [program, server.url], { env })
    expect(stdout).toMatch(
      /^agent {3}\S+\ntask {4}\S+\nrun {5}completed: "Good morning, Grace\."\ncommons 0 found\n$/,
    )
  })

  it('ends with what the service said where it refuses', async () => {
    const nowhere = `${server.url}/api`
    const ended = promisify(execFile)(process.execPath, [program, nowhere], { env })
    await expect(ended).rejects.toThrow(/refused: .*path_not_found/)
  })
})

describe.skipIf(!canGenerate)('its types', { timeout: patience }, () => {
  // The example after its types are generated, regardless of earlier output in the tree.
  let folder: string
  let types: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'abode-client-'))
    types = join(folder, 'contract.d.ts')
    await cp(example, folder, { recursive: true })
    await rm(types, { force: true })
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
    await writeTypes(types)
  }, patience)
  afterAll(() => rm(folder, { recursive: true, force: true }))

  function compiled(): Promise<Ran> {
    const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
    return ran(process.execPath, [compiler, '--project', folder], {
      cwd: folder,
      timeout: patience,
    })
  }

  it('are the same, byte for byte, when they are made again', async () => {
    const again = join(folder, 'again.txt')
    await writeTypes(again)
    expect(await readFile(again, 'utf8')).toBe(await readFile(types, 'utf8'))
  })

  it('fit the program as it stands', async () => {
    expect(await compiled()).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  it('refuse a body that the contract refuses', async () => {
    const wrong = join(folder, 'wrong.ts')
    const text = await readFile(program, 'utf8')
    await writeFile(wrong, text.replace("{ name: 'Ada' }", '{ name: 1 }'))
    const { code, stdout } = await compiled()
    await rm(wrong)
    expect(code).not.toBe(0)
    expect(stdout).toMatch(
      /^wrong\.ts\(\d+,\d+\): error TS2322: Type 'number' is not assignable to type 'string'\.\s*$/,
    )
  })
})

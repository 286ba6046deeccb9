import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startServer, type ServerProcess } from '#tests/support/process.ts'
import { until } from '#tests/support/until.ts'
import type { Held } from './look.ts'

const preload = fileURLToPath(new URL('look.ts', import.meta.url))
const megabyte = 1024 * 1024

/** What is known of a server at a time: of its process, and of its store on the disk. */
export interface Sample extends Held {
  storeMb: number
  logMb: number
}

/** A server that is looked at from inside. */
export class Subject {
  readonly server: ServerProcess
  readonly #file: string
  #looks = 0

  private constructor(server: ServerProcess, file: string) {
    this.server = server
    this.#file = file
  }

  /** @param folder for its data */
  static async start(folder: string, env: Record<string, string>): Promise<Subject> {
    const file = join(folder, 'look.json')
    const server = await startServer({
      dataDir: folder,
      flags: ['--expose-gc', '--import', preload],
      env: { ...env, SOAK_LOOK: file },
    })
    return new Subject(server, file)
  }

  /** Collects its garbage and looks. */
  async sample(): Promise<Sample> {
    this.#looks += 1
    this.server.child.kill('SIGUSR2')
    let held: Held | undefined
    const read = async (): Promise<boolean> => {
      const text = await readFile(this.#file, 'utf8').catch(() => '{}')
      // The file is written by `look.ts`.
      held = JSON.parse(text) as Held
      return held.look === this.#looks
    }
    await until(read, { seconds: 60, pauseMs: 20 })
    if (!held) throw new Error('the process says nothing')
    const { dataDir } = this.server
    return {
      ...held,
      storeMb: await sizeMb(join(dataDir, 'abode.db')),
      logMb: await sizeMb(join(dataDir, 'abode.db-wal')),
    }
  }
}

async function sizeMb(file: string): Promise<number> {
  return (await stat(file).catch(() => ({ size: 0 }))).size / megabyte
}

import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { typedOf } from './blocks.ts'

const run = promisify(execFile)

/** What is put into the place of which words, such as the address of a server of the test's own. */
export type Stands = Readonly<Record<string, string>>

/**
 * Types everything that a page says into a shell, in a folder of its own, and gives what was shown.
 * @throws Error with all of it when a command fails, or a call is refused
 */
export async function played(markdown: string, stands: Stands = {}): Promise<string> {
  const script = Object.entries(stands).reduce(
    (text, [word, value]) => text.replaceAll(word, value),
    typedOf(markdown),
  )
  const folder = await mkdtemp(join(tmpdir(), 'abode-guide-'))
  try {
    // An end of the shell that does not come is one that is waited for in vain.
    const limits = { cwd: folder, timeout: 300_000, maxBuffer: 2 ** 24 }
    const { stdout } = await run('bash', ['-eu', '-c', script], limits).catch((cause: unknown) => {
      // Its cause would repeat all of the page.
      throw new Error(`the page could not be played\n${shownBy(cause)}`)
    })
    const refused = refusal.exec(stdout)
    if (refused) throw new Error(`a call of the page was refused: ${around(stdout, refused.index)}`)
    return stdout
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const refusal = /"detail":"|"ok":false|"isError":true|"error":\{"code":-?\d/

function around(text: string, index: number): string {
  return text.slice(Math.max(0, index - 300), index + 600)
}

function shownBy(cause: unknown): string {
  // What `execFile` throws has what was written until then.
  const { stdout = '', stderr = '' } = cause as { stdout?: string; stderr?: string }
  return `${stdout.slice(-3000)}\n${stderr}`
}

import { basename } from 'node:path'
import { complained, run, said } from './command.ts'
import { exits, type Exit } from './exits.ts'
import { bundle } from './build/bundle.ts'
import { publish, removeOthers } from './build/publish.ts'
import { compileAhead } from './build/compile-ahead.ts'

const noBundler = 'There is no bundler among the packages: the sources run as they are.\n'

await run(build)

/**
 * Makes the build, from the bundler to the compiled code next to it.
 * @param words `--alone` removes every other build: what is packed has one
 */
async function build(words: readonly string[]): Promise<Exit> {
  const bundler = await bundlerOf()
  if (!bundler) return said(noBundler)
  const began = Date.now()
  const folder = await publish(began, (to) => bundle(bundler.rolldown, to))
  if (words.includes('--alone')) await removeOthers(basename(folder), 1)
  const problem = await compileAhead()
  if (problem !== undefined) complained(exits.done, `The code is not compiled ahead: ${problem}`)
  return said(`Built in ${((Date.now() - began) / 1000).toFixed(1)} s: ${folder}\n`)
}

async function bundlerOf() {
  try {
    return await import('rolldown')
  } catch (cause) {
    const isAbsent =
      cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND'
    if (!isAbsent) throw cause
    return undefined
  }
}

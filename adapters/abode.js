#!/usr/bin/env node
// Starts one of the programs: from the build where it is fresh, else from the sources. It is JavaScript, so
// that a start from the build need not load Node's type stripper.
import { existsSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { builtName, freshBuild, root } from './process/build.js'

/** Each program's source; the first word says which one is to run. */
const programs = new Map([
  ['serve', 'adapters/main.ts'],
  ['mcp', 'adapters/mcp-stdio.ts'],
  ['invite', 'adapters/commands/invite.ts'],
  ['moderate', 'adapters/commands/moderate.ts'],
  ['rotate-master-key', 'adapters/commands/rotate-master-key.ts'],
  ['copy-store', 'adapters/commands/copy-store.ts'],
])
/** The usage error of `sysexits.h`. */
const misused = 64

await start(...process.argv.splice(2, 1))

async function start(name = 'serve') {
  const source = programs.get(name)
  if (source === undefined) {
    const names = [...programs.keys()].join(', ')
    process.stderr.write(`There is no program ${JSON.stringify(name)}: say one of ${names}.\n`)
    process.exitCode = misused
    return
  }
  const program = fromBuild(source) ?? join(root, source)
  await import(pathToFileURL(program).href)
}

/** @param {string} source */
function fromBuild(source) {
  const build = freshBuild()
  if (build === undefined) return undefined
  const entry = join(build, builtName(source))
  if (!existsSync(entry)) return undefined
  // Next to the build, and valid wherever both are moved; where it cannot be written, it is only read.
  enableCompileCache({ directory: join(build, 'cache'), portable: true })
  return entry
}

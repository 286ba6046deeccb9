#!/usr/bin/env node
// Starts one of the programs: from the build where it is fresh, else from the sources. It is JavaScript, so
// that a start from the build need not load Node's type stripper, and an old Node can read it.
import { existsSync } from 'node:fs'
import module from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { builtName, freshBuild, root } from './process/build.js'
import { isOldNode, startAgain } from './process/node.js'
import { guide, programs } from './process/programs.js'

if (isOldNode()) startAgain()
else await start()

async function start() {
  const source = called()
  const program = fromBuild(source) ?? join(root, source)
  await import(pathToFileURL(program).href)
}

/** The source of the program that is called, which finds the words after its name as its own. */
function called() {
  const [name = 'start', ...words] = process.argv.slice(2)
  const program = programs.get(name)
  // The server takes no words.
  if (!program || (name === 'start' && words.length > 0)) return guide
  process.argv.splice(2, 1)
  return program.source
}

/** @param {string} source */
function fromBuild(source) {
  const build = freshBuild()
  if (build === undefined) return undefined
  const entry = join(build, builtName(source))
  if (!existsSync(entry)) return undefined
  // Next to the build, and valid wherever both are moved; where it cannot be written, it is only read.
  module.enableCompileCache({ directory: join(build, 'cache'), portable: true })
  return entry
}

// JavaScript without anything new in it: it runs in whatever Node has started us.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { root } from './build.js'

/** The version that the service is written for. */
export const neededNode = 26
/** `EX_CONFIG` of `sysexits.h`: a person has to install what is missing, and starting again would not help. */
const badConfiguration = 78
const signals = /** @type {const} */ (['SIGTERM', 'SIGINT', 'SIGHUP'])

/** Whether a version, such as `20.1.0`, is older than the one that is needed. */
export function isOldNode(version = process.versions.node) {
  return Number.parseInt(version, 10) < neededNode
}

/** Starts this process's program again, by the Node among the packages, and ends as that one ends. */
export function startAgain() {
  const node = nodeOfPackages()
  if (node === undefined) return giveUp('and the packages bring none for this machine')
  const child = spawn(node, [...process.execArgv, ...process.argv.slice(1)], { stdio: 'inherit' })
  child.on('error', (cause) => giveUp(`and that of the packages does not start: ${cause.message}`))
  // A terminal tells all of its programs of Ctrl+C: told twice, a server would stop at once.
  const isOnTerminal = [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY)
  for (const name of signals) {
    process.on(name, () => {
      if (name !== 'SIGINT' || !isOnTerminal) child.kill(name)
    })
  }
  child.on('exit', (code, signal) => {
    for (const name of signals) process.removeAllListeners(name)
    if (signal === null) process.exitCode = code ?? undefined
    else process.kill(process.pid, signal)
  })
}

/** @param {string} why */
function giveUp(why) {
  process.stderr.write(
    `Abode needs Node ${neededNode}: this is ${process.version}, ${why}. Install Node ${neededNode}.\n`,
  )
  process.exitCode = badConfiguration
}

/** The packages that hold a Node say for which machines they are: npm installs the one that fits. */
function nodeOfPackages() {
  const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const require = createRequire(import.meta.url)
  for (const name of Object.keys(optionalDependencies)) {
    try {
      const place = require.resolve(`${name}/package.json`)
      const { bin } = JSON.parse(readFileSync(place, 'utf8'))
      return join(dirname(place), bin.node)
    } catch {
      // It is not installed here.
    }
  }
  return undefined
}

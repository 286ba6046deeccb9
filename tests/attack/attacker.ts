import { attacks } from './attacks.ts'
import type { Order } from './play.ts'
import type { Answers } from './sockets.ts'

// Written by `play`.
const { name, target, seconds } = JSON.parse(process.argv[2] ?? '') as Order
const attack = attacks.find((one) => one.name === name)
if (!attack) throw new Error(`there is no attack "${name}"`)

const answers: Answers = new Map()
const stop = new AbortController()
// So many connections are ended at once.
const { setMaxListeners } = await import('node:events')
setMaxListeners(0, stop.signal)
// What it needs is there before its time begins.
const prepared = (await attack.prepare?.(target)) ?? target
setTimeout(() => stop.abort(), seconds * 1000)
await attack.run(prepared, answers, stop.signal)
process.send?.(Object.fromEntries(answers), () => process.exit(0))

import { isatty } from 'node:tty'
import { greeting, type Facts } from '#adapters/commands/greeting.ts'
import type { Config } from '#adapters/config/read.ts'

/** Says where the server listens. The log would redact the example's header and the query of its address. */
export function greet(facts: Facts, { logLevel }: Config): void {
  if (isatty(process.stdout.fd)) process.stdout.write(greeting(facts))
  else if (logLevel === 'info' || logLevel === 'debug') {
    const line = { level: 'info', time: new Date().toISOString(), message: 'listening', ...facts }
    process.stdout.write(`${JSON.stringify(line)}\n`)
  }
}

/** Says why it cannot listen. */
export function sayUnlistenable(cause: unknown, { host, port }: Config): void {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  const where = `${host} port ${port}`
  const why =
    code === 'EADDRINUSE'
      ? `${where} is in use: stop the program that listens there, or set PORT to another one`
      : `cannot listen on ${where} (${String(code ?? cause)}): set HOST and PORT to what is free`
  process.stderr.write(`${why}\n`)
}

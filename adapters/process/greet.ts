import { isatty } from 'node:tty'
import { greeting, type Facts } from '#adapters/commands/greeting.ts'
import type { Config } from '#adapters/config/read.ts'
import { writerOf } from '#adapters/compose/about.ts'
import { onlyOne } from '#adapters/log/writer.ts'

/** Says where the server listens. The log would redact the example's header and the query of its address. */
export function greet(facts: Facts, { logLevel, work }: Config, name = onlyOne): void {
  if (isatty(process.stdout.fd)) process.stdout.write(greeting(facts))
  else if (logLevel === 'info' || logLevel === 'debug') {
    const writer = writerOf(name, name === onlyOne ? work : [name])
    const line = {
      level: 'info',
      time: new Date().toISOString(),
      message: 'listening',
      ...writer,
      ...facts,
    }
    process.stdout.write(`${JSON.stringify(line)}\n`)
  }
}

/** A place to listen, and the settings that name it. */
export interface Place {
  host: string
  port: number
  names: { host: string; port: string }
}

/** Where requests are answered. */
export function placeOf({ host, port }: Config): Place {
  return { host, port, names: { host: 'HOST', port: 'PORT' } }
}

/** Where the operator is answered. */
export function adminPlaceOf({ admin }: Config): Place {
  const names = { host: 'ABODE_ADMIN_HOST', port: 'ABODE_ADMIN_PORT' }
  return { host: admin?.host ?? '', port: admin?.port ?? 0, names }
}

/** Says why it cannot listen. */
export function sayUnlistenable(cause: unknown, { host, port, names }: Place): void {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  const where = `${host} port ${port}`
  const why =
    code === 'EADDRINUSE'
      ? `${where} is in use: stop the program that listens there, or set ${names.port} to another one`
      : `cannot listen on ${where} (${String(code ?? cause)}): set ${names.host} and ${names.port} to what is free`
  process.stderr.write(`${why}\n`)
}

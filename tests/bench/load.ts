import autocannon from 'autocannon'
import { cpuMicros, percentile, quiet } from './measure.ts'

const usualConnections = 16

/** A process that is measured. */
export interface Subject {
  url: string
  pid: number
}

/** One request of a load. */
export interface Sent {
  method: 'GET' | 'POST' | 'PUT'
  path: string
  headers?: Record<string, string>
  body?: string
}

/** What a row of the table does again and again. */
export interface Load {
  next(): Sent
  /** Stands in every right answer, and in no other. */
  sign: string
  /** How many connections bear it; by default 16. */
  connections?: number
  /** What it sets going ends after the answers: its cost counts until the process is quiet. */
  leavesWork?: true
}

/** The results of one stretch of load. */
export interface Slice {
  requests: number
  seconds: number
  /** CPU time of the server for each request, in microseconds. */
  cpu: number
  /** Latencies in milliseconds. */
  p50: number
  p99: number
}

/**
 * Puts a load on a server, on connections that stay open, each sending when it was answered.
 * @throws Error when an answer is not the right one
 */
export async function drive(
  subject: Subject,
  load: Load,
  seconds: number,
  connections = load.connections ?? usualConnections,
): Promise<Slice> {
  const latencies: number[] = []
  const before = cpuMicros(subject.pid)
  const begun = performance.now()
  const { promise, resolve, reject } = Promise.withResolvers<autocannon.Result>()
  const running = autocannon(
    {
      url: subject.url,
      connections,
      duration: seconds,
      // How often it looks whether the time is up.
      sampleInt: 50,
      requests: [{ setupRequest: (request) => ({ ...request, ...load.next() }) }],
      verifyBody: (body) => String(body).includes(load.sign),
    },
    (error: unknown, result) => (error ? reject(asError(error)) : resolve(result)),
  )
  // Its own histogram counts whole milliseconds.
  running.on('response', (_client, _status, _bytes, milliseconds) => latencies.push(milliseconds))
  const { errors, mismatches, non2xx } = await promise
  const took = (performance.now() - begun) / 1000
  if (load.leavesWork) await quiet(subject.pid)
  const spent = cpuMicros(subject.pid) - before
  const wrong = errors + mismatches + non2xx
  if (wrong > 0 || latencies.length === 0) {
    throw new Error(`${wrong} of ${latencies.length} answers were wrong`)
  }
  return {
    requests: latencies.length,
    seconds: took,
    cpu: spent / latencies.length,
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
  }
}

/**
 * Sends one request of a load.
 * @throws Error with what was answered, when it is not the right answer
 */
export async function once({ url }: Subject, load: Load): Promise<string> {
  const { path, ...init } = load.next()
  const response = await fetch(url + path, init)
  const body = await response.text()
  if (response.ok && body.includes(load.sign)) return body
  throw new Error(`${init.method} ${path} was answered ${response.status} ${body.slice(0, 300)}`)
}

/** What was thrown, as an error. */
function asError(cause: unknown): Error {
  return cause instanceof Error ? cause : new Error(String(cause))
}

/** The name of a process that does all by itself. */
export const onlyOne = 'server'

/** What every line says of the process that wrote it. */
export interface Writer {
  /** Such as `server`, where it is the only one, `supervisor`, `api 1`, `worker`. */
  process: string
  /** What it does, such as `api,runner`. */
  role: string
  version: string
  pid: number
}

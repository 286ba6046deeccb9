const short = /^(?:(\d{1,4})d)?(?:(\d{1,5})h)?(?:(\d{1,6})m)?(?:(\d{1,7})s)?$/i
const iso = /^P(?:(\d{1,4})D)?(?:T(?=\d)(?:(\d{1,5})H)?(?:(\d{1,6})M)?(?:(\d{1,7})S)?)?$/i

/** The shortest time between two heartbeats; shorter ones act as this. */
export const shortestHeartbeatMinutes = 60

/** The minutes that a text such as `90m`, `1h30m` or `PT2H` stands for; undefined if it is malformed. */
export function heartbeatMinutes(text: string): number | undefined {
  const found = short.exec(text) ?? iso.exec(text)
  if (!found?.slice(1).some((digits) => digits !== undefined)) return undefined
  const [days, hours, minutes, seconds] = found.slice(1).map((digits) => Number(digits ?? 0))
  return (days ?? 0) * 1440 + (hours ?? 0) * 60 + (minutes ?? 0) + (seconds ?? 0) / 60
}

/** Whether the heartbeat runs this task. */
export function isHeartbeatTask(task: { task_id?: unknown; name?: unknown }): boolean {
  return task.task_id === 'heartbeat' || task.name === 'heartbeat'
}

/** How one thing was found. */
export type Status = 'ok' | 'warning' | 'error'

/** One thing that was looked at: what was found and, where it is not well, what to do. */
export interface DoctorItem {
  readonly name: string
  readonly status: Status
  readonly message: string
  readonly remedy?: string
}

/** Something as it should be. */
export const ok = (name: string, message: string): DoctorItem => ({ name, status: 'ok', message })

/** Something that works, but not as well as it could. */
export const warning = (name: string, message: string, remedy: string): DoctorItem => ({
  name,
  status: 'warning',
  message,
  remedy,
})

/** Something without which Waybill does not work here. */
export const error = (name: string, message: string, remedy: string): DoctorItem => ({
  name,
  status: 'error',
  message,
  remedy,
})

import type { DoctorItem } from './output.ts'

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

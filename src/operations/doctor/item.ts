import type { DoctorItem } from './output.ts'

/** Returns an item without problems. */
export const ok = (name: string, message: string): DoctorItem => ({ name, status: 'ok', message })

/** Returns an item that works with a limitation. */
export const warning = (name: string, message: string, remedy: string): DoctorItem => ({
  name,
  status: 'warning',
  message,
  remedy,
})

/** Returns an item that keeps Waybill from working. */
export const error = (name: string, message: string, remedy: string): DoctorItem => ({
  name,
  status: 'error',
  message,
  remedy,
})

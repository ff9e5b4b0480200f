import type { App } from '#server/http/implement.ts'
export function leadsRoutes(_app: App): void {}

import type { App } from '#server/http/implement.ts'
export function leadImportRoutes(_app: App): void {}

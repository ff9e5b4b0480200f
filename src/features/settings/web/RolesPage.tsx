import { PageHeader } from '#web/shell/PageHeader.tsx'
export function RolesPage() {
  return <PageHeader />
}

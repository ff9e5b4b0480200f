import { PageHeader } from '#web/shell/PageHeader.tsx'
export function DashboardPage() {
  return <PageHeader />
}

/** The frame of all pages behind the login. */
export const frame = 'app/browser/Panel.tsx'

/** Pages outside the frame. */
export const pagesWithoutFrame: readonly string[] = [
  'features/panel/session/web/LoginPage.tsx',
  'features/panel/session/web/PasswordLink.tsx',
]

/** The page after sign-in. */
export const startPage = 'app/browser/DashboardPage.tsx'

/** Pages that are open all day, so they load little that they don’t need. */
export const busyPages: readonly string[] = [
  'features/crm/leads/list/web/LeadsPage.tsx',
  'features/crm/support/web/TicketPage.tsx',
  'features/crm/support/web/SupportPage.tsx',
  'features/crm/support/web/incidents/IncidentPage.tsx',
  'features/tasks/tasks/calendar/web/CalendarPage.tsx',
  'features/admin/logs/web/AuditPage.tsx',
]

/** Parts that a busy page loads each time it is shown, right after what it shows first. */
export const partsAfterPage: Readonly<Record<string, readonly string[]>> = {
  'features/crm/support/web/TicketPage.tsx': [
    'features/crm/support/web/Reply.tsx',
    'features/crm/support/web/incidents/SimilarTickets.tsx',
    'features/crm/customer-view/web/CustomerOfTicket.tsx',
    'features/crm/quick-tasks/web/QuickTasksOfRecord.tsx',
  ],
}

/** Parts that load when they are needed, many times a day. */
export const busyParts: readonly string[] = ['web/richtext/SlashEditor.tsx']

/** Pages that most users start with; the browser fetches their code together with the HTML. */
export const earlyPages: Readonly<Record<string, string>> = {
  '/demo-leads': 'features/crm/leads/list/web/LeadsPage.tsx',
  '/dashboard': startPage,
}

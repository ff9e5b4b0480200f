/** Addresses of the specification whose area is not built yet: each shows one page that says so (docs/spec-gaps.md). */
export const placeholders: Readonly<Record<string, readonly (readonly [path: string, name: string])[]>> = {
  Notifications: [
    ['/notifications', 'Notifications'],
    ['/notifications/new', 'Send a notification'],
    ['/notifications/update-notification/$notification', 'Update a notification'],
  ],
  Support: [
    ['/support', 'Support tickets'],
    ['/support/generate', 'Generate a ticket'],
    ['/support/ticket/$ticket/$org_id', 'Ticket'],
    ['/support-requests', 'Support requests'],
    ['/support-requests/create', 'New support request'],
    ['/support-requests/request/$request/$org_id', 'Support request'],
  ],
}

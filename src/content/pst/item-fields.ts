import {
  PSTAppointment,
  PSTContact,
  type PSTMessage,
  PSTTask,
} from '@hiraokahypertools/pst-extractor';

const contact = {
  Name: 'displayName',
  Title: 'title',
  Company: 'companyName',
  Department: 'departmentName',
  Email: 'email1EmailAddress',
  'Email 2': 'email2EmailAddress',
  'Email 3': 'email3EmailAddress',
  'Business phone': 'businessTelephoneNumber',
  'Home phone': 'homeTelephoneNumber',
  'Mobile phone': 'mobileTelephoneNumber',
  Fax: 'businessFaxNumber',
  'Business address': 'workAddress',
  'Home address': 'homeAddress',
  'Other address': 'otherAddress',
  Birthday: 'birthday',
  Spouse: 'spouseName',
  Manager: 'managerName',
  Note: 'note',
};
const appointment = {
  Start: 'startTime',
  End: 'endTime',
  Location: 'location',
  Attendees: 'allAttendees',
  Recurrence: 'recurrencePattern',
};
const task = {
  Owner: 'taskOwner',
  'Assigned by': 'taskAssigner',
  Start: 'taskStartDate',
  Due: 'taskDueDate',
  Completed: 'taskDateCompleted',
  'Percent complete': 'percentComplete',
};

/** The fields of a contact, appointment or task as lines; empty for a message. */
export function describeItem(item: PSTMessage): string {
  if (item instanceof PSTContact) return linesOf(item, contact);
  if (item instanceof PSTAppointment) return linesOf(item, appointment);
  return item instanceof PSTTask ? linesOf(item, task) : '';
}

function linesOf(item: object, fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .flatMap(([label, name]) => {
      const value = show(read(item, name));
      return value ? `${label}: ${value}` : [];
    })
    .join('\n');
}

/** A damaged property costs its line, not the item. */
function read(item: object, name: string): unknown {
  try {
    return Reflect.get(item, name);
  } catch {
    return undefined;
  }
}

function show(value: unknown): string {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : value.toISOString();
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? value.trim() : '';
}

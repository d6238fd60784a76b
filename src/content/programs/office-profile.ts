type Setting = [path: string, name: string, value: string | number | boolean];

const security = '/org.openoffice.Office.Common/Security/Scripting';
const internet = '/org.openoffice.Inet/Settings';
/** Nothing listens there, so linked pictures and data of documents are not fetched. */
const nowhere = { host: '127.0.0.1', port: 9 };

const settings: readonly Setting[] = [
  [security, 'DisableMacrosExecution', true],
  [security, 'MacroSecurityLevel', 3],
  [security, 'BlockUntrustedRefererLinks', true],
  ['/org.openoffice.Office.Calc/Content/Update', 'Link', 1],
  ['/org.openoffice.Office.Writer/Content/Update', 'Link', 0],
  [internet, 'ooInetProxyType', 1],
  [internet, 'ooInetHTTPProxyName', nowhere.host],
  [internet, 'ooInetHTTPProxyPort', nowhere.port],
  [internet, 'ooInetHTTPSProxyName', nowhere.host],
  [internet, 'ooInetHTTPSProxyPort', nowhere.port],
  [internet, 'ooInetNoProxy', ''],
];

/** The settings of LibreOffice for documents of strangers. */
export const officeProfile = [
  '<?xml version="1.0" encoding="UTF-8"?>',
  '<oor:items xmlns:oor="http://openoffice.org/2001/registry">',
  ...settings.map(
    ([path, name, value]) =>
      `<item oor:path="${path}"><prop oor:name="${name}" oor:op="fuse"><value>${value}</value></prop></item>`,
  ),
  '</oor:items>',
].join('\n');

export declare function armFailpoints(specification: string): void;

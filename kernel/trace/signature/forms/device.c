// SPDX-License-Identifier: GPL-2.0
/* Devices, drivers, modules: what has a name in sysfs. */
#include <linux/device.h>
#include <linux/device/bus.h>
#include <linux/device/class.h>
#include <linux/device/driver.h>
#include <linux/interrupt.h>
#include <linux/kobject.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/pci.h>
#include <linux/platform_device.h>
#include <linux/tty.h>
#include <linux/tty_driver.h>

#include "form.h"

FORM_OF_STRUCT(kobject, STRING("", struct kobject, name));
FORM_OF_STRUCT(kset, STRING("", struct kset, kobj.name));
FORM_OF_STRUCT(attribute, STRING("", struct attribute, name));
FORM_OF_STRUCT(device, STRING("", struct device, kobj.name));
FORM_OF_STRUCT(device_driver, STRING("", struct device_driver, name));
FORM_OF_STRUCT(bus_type, STRING("", struct bus_type, name));
FORM_OF_STRUCT(class, STRING("", struct class, name));
FORM_OF_STRUCT(miscdevice, STRING("", struct miscdevice, name));
FORM_OF_STRUCT(platform_device, STRING("", struct platform_device, dev.kobj.name));
FORM_OF_STRUCT(platform_driver, STRING("", struct platform_driver, driver.name));
FORM_OF_STRUCT(kernel_param, STRING("", struct kernel_param, name));

#ifdef CONFIG_MODULES
FORM_OF_STRUCT(module, CHARS("", struct module, name));
#endif

#ifdef CONFIG_PCI
FORM_OF_STRUCT(pci_dev, STRING("", struct pci_dev, dev.kobj.name));
FORM_OF_STRUCT(pci_driver, STRING("", struct pci_driver, name));
#endif

#ifdef CONFIG_TTY
FORM_OF_STRUCT(tty_struct, CHARS("", struct tty_struct, name));
FORM_OF_STRUCT(tty_driver, STRING("", struct tty_driver, name));
#endif

FORM_OF_STRUCT(irqaction,
	STRING("name", struct irqaction, name),
	MEMBER("irq", struct irqaction, irq, form_unsigned),
	MEMBER("handler", struct irqaction, handler, form_function));
